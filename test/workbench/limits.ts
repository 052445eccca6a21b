import type { PieceResult } from './workbench.ts';

/** A known difference: a line of `limits.txt`. */
export interface Limit {
  readonly id: string;
  readonly verdict: 'asked' | 'differs';
  /** For whom: root, an ordinary user, or both. */
  readonly who: 'root' | 'user' | 'all';
  /** One word for the mend that would remove it. */
  readonly cause: string;
  readonly reason: string;
}

const LINE = /^(\S+\/\S+) (asked|differs) (root|user|all) ([a-z-]+): (.+)$/;

/** @throws Error for a line of another form, or a piece that is listed twice for the same user */
export function parseLimits(text: string): readonly Limit[] {
  const limits: Limit[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, id, verdict, who, cause, reason] = LINE.exec(line) ?? [];
    if (id === undefined || cause === undefined || reason === undefined || !isVerdict(verdict) || !isWho(who))
      throw new Error(`limits.txt: not "GROUP/PIECE asked|differs root|user|all CAUSE: REASON": ${line}`);
    if (limits.some((one) => one.id === id && (one.who === who || one.who === 'all' || who === 'all')))
      throw new Error(`limits.txt: ${id} is listed twice`);
    limits.push({ id, verdict, who, cause, reason });
  }
  return limits;
}

/** How results differ from the list: each line is a reason to fail. */
export function limitProblems(
  results: readonly PieceResult[],
  limits: readonly Limit[],
  who: 'root' | 'user',
): readonly string[] {
  const mine = limits.filter((limit) => limit.who === who || limit.who === 'all');
  return results.flatMap(({ id, verdict, why }) => {
    const limit = mine.find((one) => one.id === id);
    if (verdict === 'skipped' || verdict === (limit?.verdict ?? 'same')) return [];
    if (verdict === 'same') return [`vanished: ${id} is the same and unasked now; remove its line`];
    const before = limit === undefined ? 'new' : `listed as ${limit.verdict}`;
    return [`${before}: ${id} ${verdict} ${who} CAUSE: ${why}`];
  });
}

/** Listed pieces that do not exist. */
export function unknownLimits(limits: readonly Limit[], ids: readonly string[]): readonly string[] {
  return limits.filter(({ id }) => !ids.includes(id)).map(({ id }) => `listed, but there is no piece ${id}`);
}

function isVerdict(text: string | undefined): text is Limit['verdict'] {
  return text === 'asked' || text === 'differs';
}

function isWho(text: string | undefined): text is Limit['who'] {
  return text === 'root' || text === 'user' || text === 'all';
}
