import type { Message } from '@bulkhead/protocol/chat';
import { plainAnswer } from '../loop/message-parts.ts';

/**
 * The index at which a conversation is cut: earlier messages are summarized, later ones kept
 * unchanged. Never between a call and its result or between two halves of an answer [K2]; at the
 * beginning of a near turn, else inside a turn. The last exchange is always kept, however large.
 *
 * @param tokens of each message
 * @param keep tokens that the kept part may have
 * @returns the index of the first kept message, at least 1; undefined if everything fits
 */
export function splitPoint(
  messages: readonly Message[],
  tokens: readonly number[],
  keep: number,
): number | undefined {
  let kept = 0;
  let smallest: number | undefined;
  let largest: number | undefined;
  let turn: number | undefined;
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    kept += tokens[at] ?? 0;
    if (!isSafe(messages, at)) continue;
    smallest ??= at;
    if (kept > keep) break;
    largest = at;
    if (messages[at]?.role.case === 'user' && kept >= keep / 2) turn = at;
  }
  const cut = kept <= keep ? undefined : (turn ?? largest ?? smallest);
  return cut === 0 ? undefined : cut;
}

/** True if a conversation may begin with this message. */
function isSafe(messages: readonly Message[], at: number): boolean {
  const name = messages[at]?.role.case;
  if (name === undefined || name === 'tool') return false;
  return name === 'user' || plainAnswer(messages[at - 1]) === undefined;
}
