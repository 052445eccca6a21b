import type { EngineLink } from '@bulkhead/client';
import { BulkheadError } from '@bulkhead/protocol';

/**
 * A server's address says nothing to a model that has no server: whoever gives one means another model.
 *
 * @param choice what the run asks for; empty strings mean the configured one
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
