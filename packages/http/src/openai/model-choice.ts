import type { BulkheadError } from '@bulkhead/protocol';
import { invalidRequest } from './api-error.ts';

/** Name of the configured model, whichever it is. */
export const OWN_MODEL = 'bulkhead';

/**
 * @param configured `provider/model`
 * @returns the model for the run: empty for the configured one
 * @throws BulkheadError `usage` (404) for an unknown name
 */
export function chosenModel(name: string, configured: string): string {
  if (name === OWN_MODEL || name === configured) return '';
  if (/^[a-z][a-z-]*\/./.test(name)) return name;
  throw noModel(name, configured);
}

export function noModel(name: string, configured: string): BulkheadError {
  return invalidRequest(
    `there is no model ${JSON.stringify(name.slice(0, 100))} here: ask for "${OWN_MODEL}", the configured one (${configured}), or for provider/model`,
    'model',
    'model_not_found',
    404,
  );
}

/** A model as an item of the list of models. */
export function modelObject(id: string) {
  return {
    id,
    object: 'model',
    created: 0,
    owned_by: id === OWN_MODEL ? OWN_MODEL : (id.split('/')[0] ?? ''),
  };
}
