import type { ModelRole } from '@bulkhead/home/config/config-schema';
import { createEmbeddingClient, type KeySources } from '@bulkhead/models';
import { settingsOf } from '@bulkhead/processes/models/model-choice';
import { createModelEmbedder, type ModelEmbedder, type ModelEmbedderParts } from './model-embedder.ts';

/**
 * Opens the model that `models.embedding` names; undefined if it names none: then vectors are made
 * from the user's own text.
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
