import { BulkheadError } from '@bulkhead/protocol';
import { RunEnd } from '@bulkhead/protocol/agent';
import { type AssistantMessage, type Message, StopReason } from '@bulkhead/protocol/chat';
import { callsOf, closingText, textOf } from './message-parts.ts';
import { CUT_NOTICE, EMPTY_NOTICE, STILL_CALLING_NOTICE, withNotice } from './notices.ts';

/** What a round's answer leads to. */
export type NextStep = 'calls' | 'continue' | 'end';

/**
 * Decides by stop reason and content; every stop reason leads somewhere [L6]. An unknown one counts as a
 * plain stop. Calls are answered whatever the reason says: one that was cut has arguments that don't parse,
 * and its error tells the model.
 *
 * @param mayContinue false if this answer is already a continuation, or no round is left
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
 * The answer of a finished run as a person reads it [L6]: the model's last words and, where they are not all of it, a
 * notice that says why. Made from the run alone, so nobody has to be asked what it was.
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
