import type { Message } from '@bulkhead/protocol/chat';
import { plainAnswer } from '../loop/message-parts.ts';
import type { CompactRequest } from './compact-request.ts';
import { EMPTY_OUTLINE, type Outline } from './outline.ts';
import { parseOutline } from './summary-text.ts';
import { messageTokens } from './token-estimate.ts';

/** The parts of a compaction. */
export interface CompactionPlan {
  /** The messages that a summary replaces. */
  readonly old: readonly Message[];
  readonly kept: readonly Message[];
  readonly earlier: Outline;
  /** The person's words that are being worked on and are not in the kept part, literally. */
  readonly carried: readonly string[];
}

/** Longest message quoted as a whole, in characters; of a longer one, its beginning and end. */
const MAX_CARRIED = 8_000;
const MAX_CARRIED_MESSAGES = 8;

type Asked = Pick<
  CompactRequest,
  'history' | 'keepTokens' | 'messageTokens' | 'ownMessages' | 'earlierSummary'
>;

/** @returns undefined if everything fits into the kept part */
export function planCompaction(request: Asked): CompactionPlan | undefined {
  const { history, keepTokens, messageTokens: known, earlierSummary } = request;
  const tokens = known.length === history.length ? known : history.map(messageTokens);
  const cut = splitPoint(history, tokens, keepTokens);
  if (cut === undefined) return undefined;
  const earlier = earlierSummary === '' ? EMPTY_OUTLINE : parseOutline(earlierSummary);
  const old = history.slice(0, cut);
  const kept = history.slice(cut);
  const carried = carriedWords(request.ownMessages, old, kept, earlier);
  return { old, kept, earlier, carried: carried.slice(-MAX_CARRIED_MESSAGES).map(bounded) };
}

function carriedWords(
  own: readonly string[],
  old: readonly Message[],
  kept: readonly Message[],
  earlier: Outline,
): readonly string[] {
  if (own.length > 0) {
    const there = new Set(kept.map(wordsOf));
    return own.filter((words) => !there.has(words));
  }
  // Without a run, a turn is cut in two if the kept part does not begin with a person's message.
  if (kept[0]?.role.case === 'user') return [];
  const last = old.findLast(({ role }) => role.case === 'user');
  const words = last === undefined ? undefined : wordsOf(last);
  return words === undefined ? earlier.quoted : [words];
}

function wordsOf({ role }: Message): string | undefined {
  return role.case === 'user' ? role.value.text : undefined;
}

function bounded(words: string): string {
  if (words.length <= MAX_CARRIED) return words;
  const half = MAX_CARRIED / 2;
  const left = words.length - MAX_CARRIED;
  return `${words.slice(0, half)}\n[… ${left} characters left out …]\n${words.slice(-half)}`;
}

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
