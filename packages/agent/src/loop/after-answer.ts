import { BulkheadError } from '@bulkhead/protocol';
import { RunEnd } from '@bulkhead/protocol/agent';
import { StopReason } from '@bulkhead/protocol/chat';
import { callsOf, textOf } from './message-parts.ts';
import type { ModelAnswer } from './model-answer.ts';
import { CUT_NOTICE, EMPTY_NOTICE, STILL_CALLING_NOTICE, withNotice } from './notices.ts';

/** What a round's answer leads to. `notice` is for the person, at the end of the answer. */
export type NextStep =
  | { readonly step: 'calls' }
  | { readonly step: 'continue' }
  | { readonly step: 'end'; readonly end: RunEnd; readonly notice?: string };

/**
 * Decides by stop reason and content; every stop reason leads somewhere [L6]. An unknown one counts as a
 * plain stop. Calls are answered whatever the reason says: one that was cut has arguments that don't parse,
 * and its error tells the model.
 *
 * @param mayContinue false if this answer is already a continuation, or no round is left
 * @throws BulkheadError `content_blocked`, `unknown_provider_error`
 */
export function afterAnswer(answer: ModelAnswer, mayContinue: boolean): NextStep {
  checkStopReason(answer.stopReason);
  if (callsOf(answer.message).length > 0) return { step: 'calls' };
  const empty = textOf(answer.message).trim() === '';
  if (answer.stopReason === StopReason.LENGTH) {
    if (mayContinue && !empty) return { step: 'continue' };
    return { step: 'end', end: RunEnd.COMPLETED, notice: CUT_NOTICE };
  }
  return empty
    ? { step: 'end', end: RunEnd.COMPLETED, notice: EMPTY_NOTICE }
    : { step: 'end', end: RunEnd.COMPLETED };
}

/**
 * The text that ends a run whose rounds are used up: the model was asked for an answer without tools, and
 * whatever came is the last word.
 *
 * @throws BulkheadError `content_blocked`, `unknown_provider_error`
 */
export function afterLastAnswer(answer: ModelAnswer): string {
  checkStopReason(answer.stopReason);
  const text = textOf(answer.message);
  if (callsOf(answer.message).length > 0) return withNotice(text, STILL_CALLING_NOTICE);
  if (answer.stopReason === StopReason.LENGTH) return withNotice(text, CUT_NOTICE);
  return text.trim() === '' ? EMPTY_NOTICE : text;
}

function checkStopReason(reason: StopReason): void {
  if (reason === StopReason.CONTENT_FILTER) {
    throw new BulkheadError('content_blocked', "the provider's content filter stopped the answer");
  }
  if (reason === StopReason.ERROR) {
    throw new BulkheadError('unknown_provider_error', 'the provider ended the answer with an error');
  }
}
