import { createEmbeddingClient, type KeySources } from '@bulkhead/models';
import type { ModelRole } from '../config/config-schema.ts';
import { settingsOf } from '../models/model-choice.ts';
import { createModelEmbedder, type ModelEmbedder, type ModelEmbedderParts } from './model-embedder.ts';

/**
 * What `models.embedding` names, ready to be asked; undefined if it names nothing: vectors are made from the user's own text then.
 *
 * @throws BulkheadError `config_invalid`, `missing_key`: which, and how to mend it
 */
export function openEmbedder(
  role: ModelRole | undefined,
  keys: KeySources,
  services: Omit<ModelEmbedderParts, 'client'>,
): ModelEmbedder | undefined {
  if (role === undefined) return undefined;
  return createModelEmbedder({ ...services, client: createEmbeddingClient(settingsOf(role), keys) });
}
