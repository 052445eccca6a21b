import { costOf, estimateInputTokens, LARGE_ANSWER } from '@bulkhead/models';
import type { BulkheadError, EventUsage, ModelCall, ModelClient } from '@bulkhead/protocol';
import type { ModelCallBody } from '@bulkhead/protocol/records';
import { eventUsage, NO_USAGE } from '../session/message-view.ts';

/** Characters per token at least, for text whose length is all that is known. */
const CHARACTERS_PER_TOKEN = 2;

/**
 * Makes the record of one model call: its usage and cost, answered or not.
 *
 * @param counted the usage of an answered call
 * @param failure the error of a failed call; its details hold the usage that the provider reported
 * before it
 * @param received characters of the answer so far; undefined if there were none: then nothing was
 * paid for
 */
export function callBodyOf(
  purpose: string,
  model: ModelClient,
  call: ModelCall,
  counted: EventUsage | undefined,
  failure: BulkheadError | undefined,
  received: number | undefined,
): ModelCallBody {
  const known = counted ?? reportedBy(failure);
  const usage = known ?? estimated(call, received);
  const ok = counted !== undefined && failure === undefined;
  return bodyOf(purpose, model, usage, { ok, estimated: known === undefined && received !== undefined });
}

/** A call at the most it can cost: all of its output, and its input by a generous estimate. */
export function mostOf(
  purpose: string,
  model: Pick<ModelClient, 'name' | 'price'>,
  call: ModelCall,
): ModelCallBody {
  const usage = {
    ...NO_USAGE,
    inputTokens: estimateInputTokens(call),
    outputTokens: call.maxOutputTokens ?? LARGE_ANSWER,
  };
  // The part written to a cache is unknown beforehand: at most all of it.
  const paid = { ...usage, cacheWriteTokens: usage.inputTokens };
  const cost = model.price === undefined ? null : costOf(paid, model.price);
  return { ...bodyOf(purpose, model, usage, { ok: false, estimated: true }), cost };
}

function bodyOf(
  purpose: string,
  { name, price }: Pick<ModelClient, 'name' | 'price'>,
  usage: EventUsage,
  facts: { readonly ok: boolean; readonly estimated: boolean },
): ModelCallBody {
  const cost = price === undefined ? null : costOf(usage, price);
  return { purpose, model: name, ...facts, cost, ...eventUsage(usage) };
}

function estimated(call: ModelCall, received: number | undefined): EventUsage {
  if (received === undefined) return NO_USAGE;
  const outputTokens = Math.ceil(received / CHARACTERS_PER_TOKEN);
  return { ...NO_USAGE, inputTokens: estimateInputTokens(call), outputTokens };
}

function reportedBy(failure: BulkheadError | undefined): EventUsage | undefined {
  const usage = failure?.details['usage'];
  return isUsage(usage) ? usage : undefined;
}

function isUsage(value: unknown): value is EventUsage {
  if (typeof value !== 'object' || value === null) return false;
  return Object.keys(NO_USAGE).every((name) => Number(Reflect.get(value, name)) >= 0);
}
