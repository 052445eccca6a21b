import type { EngineLink } from '@bulkhead/client';
import { BulkheadError } from '@bulkhead/protocol';

/**
 * Refuses a server's address for a model without a server: the caller means another model.
 *
 * @param choice the run's model; empty strings mean the configured one
 * @throws BulkheadError `usage` for an address without a model while the offline model answers
 */
export async function refuseBaseUrlOffline(
  link: EngineLink,
  choice: { readonly model: string; readonly baseUrl: string },
  signal: AbortSignal,
): Promise<void> {
  if (choice.baseUrl === '' || choice.model !== '') return;
  const { model } = await link.repeat((client) => client.call('status', {}, signal), signal);
  if (!model.startsWith('offline/')) return;
  throw new BulkheadError('usage', `--base-url needs --model: ${model} is in use, which has no server`, {
    fix: 'Name the model, e.g. --model openai-compatible/NAME.',
  });
}
