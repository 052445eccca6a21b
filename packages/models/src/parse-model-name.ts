import { BulkheadError } from '@bulkhead/protocol';
import type { ModelSettings } from './model-settings.ts';

/**
 * Reads `PROVIDER/MODEL`. The model's name may contain slashes.
 * @throws BulkheadError `usage` if a part is missing
 */
export function parseModelName(text: string): Pick<ModelSettings, 'provider' | 'model'> {
  const slash = text.indexOf('/');
  const provider = text.slice(0, slash).trim();
  const model = text.slice(slash + 1).trim();
  if (slash < 1 || provider === '' || model === '') {
    throw new BulkheadError('usage', `"${text}" is not a model name`, {
      fix: 'Write PROVIDER/MODEL, for example anthropic/claude-sonnet-4-5 or offline/rules.',
    });
  }
  return { provider, model };
}
