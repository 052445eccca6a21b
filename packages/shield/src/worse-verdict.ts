import type { Decision, Verdict } from '@bulkhead/protocol';

const RANK: Readonly<Record<Decision, number>> = { allow: 0, escalate: 1, block: 2 };

/** The stricter of two judges' answers about one action; the first, if they agree. */
export function worseVerdict(first: Verdict, second: Verdict): Verdict {
  return RANK[second.decision] > RANK[first.decision] ? second : first;
}
