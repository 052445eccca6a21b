import type { ModelRole } from '@bulkhead/home/config/config-schema';
import { ollamaModels } from './ollama-models.ts';

const LIMIT_MS = 300;

/** Values of `OLLAMA_HOST` that mean Ollama's default address. */
const USUAL_PLACE = /^(https?:\/\/)?(127\.0\.0\.1|localhost|0\.0\.0\.0|\[::1?\])(:11434)?\/?$/;

/** Ollama's default address; undefined if `OLLAMA_HOST` names another: then none is asked. */
export function usualOllama(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const host = environment['OLLAMA_HOST'] ?? '';
  return host === '' || USUAL_PLACE.test(host) ? 'http://127.0.0.1:11434' : undefined;
}

/** The first chat model of a local Ollama. Asks once, for 300 ms at most. */
export async function askOllama(
  environment: Readonly<Record<string, string | undefined>>,
  request: typeof fetch,
): Promise<ModelRole | undefined> {
  const address = usualOllama(environment);
  const names = address === undefined ? undefined : await ollamaModels(address, request, LIMIT_MS);
  const first = names?.[0];
  return first === undefined ? undefined : { provider: 'ollama', model: first };
}
