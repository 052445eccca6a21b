import { BulkheadError } from '@bulkhead/protocol';
import { RunEnd } from '@bulkhead/protocol/agent';
import { type AssistantMessage, type Message, StopReason } from '@bulkhead/protocol/chat';
import { callsOf, closingText, textOf } from './message-parts.ts';
import { CUT_NOTICE, EMPTY_NOTICE, STILL_CALLING_NOTICE, withNotice } from './notices.ts';

/** The next step after a round's answer. */
export type NextStep = 'calls' | 'continue' | 'end';

/**
 * Decides by stop reason and content; every stop reason has a next step [L6]. An unknown one counts
 * as a plain stop. Calls are answered for any reason: a cut call has arguments that don't parse,
 * and its error informs the model.
 *
 * @param mayContinue false if this answer is already a continuation, or no rounds are left
 * @throws BulkheadError `content_blocked`, `unknown_provider_error`
 */
export function afterAnswer(
  message: AssistantMessage,
  stopReason: StopReason,
  mayContinue: boolean,
): NextStep {
  checkStopReason(stopReason);
  if (callsOf(message).length > 0) return 'calls';
  const cut = stopReason === StopReason.LENGTH && textOf(message).trim() !== '';
  return cut && mayContinue ? 'continue' : 'end';
}

/** @throws BulkheadError `content_blocked`, `unknown_provider_error` */
export function checkStopReason(reason: StopReason): void {
  if (reason === StopReason.CONTENT_FILTER) {
    throw new BulkheadError('content_blocked', "the provider's content filter stopped the answer");
  }
  if (reason === StopReason.ERROR) {
    throw new BulkheadError('unknown_provider_error', 'the provider ended the answer with an error');
  }
}

/**
 * The answer of a finished run as a person reads it [L6]: the model's last words and, if they are
 * incomplete, a notice with the reason. Computed from the run alone.
 *
 * @param run its messages, in order
 * @param cut whether the output limit ended the last answer
 */
export function runAnswer(run: readonly Message[], end: RunEnd, cut: boolean): string {
  const last = run.findLast(({ role }) => role.case === 'assistant')?.role;
  const answer = last?.case === 'assistant' ? last.value : undefined;
  if (answer === undefined) return '';
  const text = closingText(run) || textOf(answer);
  if (end !== RunEnd.COMPLETED && end !== RunEnd.LIMIT) return text;
  if (callsOf(answer).length > 0) return end === RunEnd.LIMIT ? withNotice(text, STILL_CALLING_NOTICE) : text;
  if (cut) return withNotice(text, CUT_NOTICE);
  return text.trim() === '' ? EMPTY_NOTICE : text;
}
