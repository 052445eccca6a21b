import type { Message } from '@bulkhead/protocol/chat';
import type { CompactRequest } from './compact-request.ts';
import { EMPTY_OUTLINE, type Outline } from './outline.ts';
import { splitPoint } from './split-point.ts';
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
