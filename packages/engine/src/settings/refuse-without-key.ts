import { createModelClient, type KeySources } from '@bulkhead/models';
import { settingsOf } from '@bulkhead/processes/models/model-choice';
import { BulkheadError } from '@bulkhead/protocol';
import type { ModelPlan } from './plan-model.ts';

/**
 * @throws BulkheadError `missing_key` for a model that could never answer; `config_invalid` if no
 *   client can be made of it
 */
export function refuseWithoutKey({ role, keyName = '' }: ModelPlan, keys: KeySources): void {
  try {
    createModelClient(settingsOf(role), keys);
  } catch (cause) {
    if (!BulkheadError.is(cause) || cause.code !== 'missing_key') throw cause;
    throw new BulkheadError('missing_key', cause.message, {
      fix: `Give the key with the model, or store it at a terminal: bulkhead config secret ${keyName}`,
      cause,
    });
  }
}
