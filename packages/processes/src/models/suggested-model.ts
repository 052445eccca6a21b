import type { ModelRole } from '@bulkhead/home/config/config-schema';
import type { KeySources } from '@bulkhead/models';

/** Answers if nothing is configured and no model or key was found. */
const OFFLINE: ModelRole = { provider: 'offline', model: 'rules' };

/** Which model a key suggests, in this order. */
const BY_KEY: readonly (readonly [key: string, role: ModelRole])[] = [
  ['ANTHROPIC_API_KEY', { provider: 'anthropic', model: 'claude-sonnet-5-5' }],
  ['OPENAI_API_KEY', { provider: 'openai', model: 'gpt-5.5' }],
  ['GEMINI_API_KEY', { provider: 'google', model: 'gemini-flash-latest' }],
];

/** A model to begin with, by provider; undefined where none is known. */
export function suggestedModelOf(provider: string): string | undefined {
  return [...BY_KEY.map(([, role]) => role), OFFLINE].find((role) => role.provider === provider)?.model;
}

/**
 * The default chat model: by a key in the environment or store, else the local one, else offline.
 *
 * @param local found on this machine when the engine started
 */
export function suggestedModel(keys: KeySources, local: ModelRole | undefined): ModelRole {
  return byKey(keys) ?? local ?? OFFLINE;
}

/**
 * Looks for a local model, but only if one would be used: not if a model is configured or a key
 * exists.
 *
 * @param ask finds it; called only if needed
 */
export async function findLocalModel(parts: {
  readonly configured: ModelRole | undefined;
  readonly keys: KeySources;
  ask(): Promise<ModelRole | undefined>;
}): Promise<ModelRole | undefined> {
  if (parts.configured !== undefined || byKey(parts.keys) !== undefined) return undefined;
  return await parts.ask();
}

/** Missing keys that would suggest another model: all before the first existing one. */
export function missedSuggestions(keys: KeySources): readonly string[] {
  const there = BY_KEY.findIndex(([key]) => hasKey(keys, key));
  return BY_KEY.slice(0, there === -1 ? BY_KEY.length : there).map(([key]) => key);
}

/** True if it is in the environment or stored. @param name of the variable or secret */
export function hasKey({ environment, secret }: KeySources, name: string): boolean {
  return ((environment[name] ?? '').trim() || (secret(name) ?? '').trim()) !== '';
}

function byKey(keys: KeySources): ModelRole | undefined {
  return BY_KEY.find(([key]) => hasKey(keys, key))?.[1];
}
