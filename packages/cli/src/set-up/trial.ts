import type { Setting } from '@bulkhead/protocol/client';

/** A model before it is saved. An empty string means that nothing was given. */
export interface Trial {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  /** A secret. */
  readonly key: string;
}

/** @returns undefined if no chat model is configured */
export function configuredModel(settings: readonly Setting[]): Omit<Trial, 'key'> | undefined {
  const [provider, model, baseUrl] = ['provider', 'model', 'baseUrl'].map((name) => textOf(settings, name));
  return provider === undefined || model === undefined
    ? undefined
    : { provider, model, baseUrl: baseUrl ?? '' };
}

function textOf(settings: readonly Setting[], name: string): string | undefined {
  const json = settings.find(({ key }) => key === `models.chat.${name}`)?.valueJson ?? '';
  const value: unknown = json === '' ? undefined : JSON.parse(json);
  return typeof value === 'string' ? value : undefined;
}
