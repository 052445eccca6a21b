import { costOf, estimateInputTokens } from '@bulkhead/models';
import type { BulkheadError, EventUsage, ModelCall, ModelClient } from '@bulkhead/protocol';
import type { ModelCallBody } from '@bulkhead/sessions';
import { eventUsage, NO_USAGE } from '../session/message-view.ts';

/**
 * The record of one model call: what it used and cost, answered or not.
 *
 * @param told the usage of a call that was answered
 * @param failure what the call failed with; what the provider told of its usage before then is in its details
 * @param received true if any part of an answer came: then the input at least was paid for
 */
export function callBodyOf(
  purpose: string,
  { name, price }: ModelClient,
  call: ModelCall,
  told: EventUsage | undefined,
  failure: BulkheadError | undefined,
  received: boolean,
): ModelCallBody {
  const ok = told !== undefined && failure === undefined;
  const known = told ?? toldBy(failure);
  const estimated = known === undefined && received;
  const usage = known ?? (received ? { ...NO_USAGE, inputTokens: estimateInputTokens(call) } : NO_USAGE);
  const cost = price === undefined ? null : costOf(usage, price);
  return { purpose, model: name, ok, estimated, cost, ...eventUsage(usage) };
}

function toldBy(failure: BulkheadError | undefined): EventUsage | undefined {
  const usage = failure?.details['usage'];
  return isUsage(usage) ? usage : undefined;
}

function isUsage(value: unknown): value is EventUsage {
  if (typeof value !== 'object' || value === null) return false;
  return Object.keys(NO_USAGE).every((name) => Number.isFinite(Reflect.get(value, name)));
}
