import type { ProviderAdapter } from '../provider-adapter.ts';
import { toReasoning } from '../thinking.ts';
import { createOllamaModel } from './ollama/ollama-model.ts';

/**
 * Ollama's own `/api/chat`: unlike the compatible one, it accepts a context size and doesn't cut a
 * prompt silently.
 */
export const ollamaAdapter: ProviderAdapter = {
  metadataKey: 'ollama',
  callArguments: 'object',
  callIds: 'any',
  streamType: 'ndjson',
  createLanguageModel: createOllamaModel,
  prepare: (options, { thinking }) =>
    thinking === undefined ? options : { ...options, reasoning: toReasoning(thinking) },
};
