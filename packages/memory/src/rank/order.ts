import type { Candidate, Ranked } from './candidate.ts';
import type { ChunkScore } from './chunk-score.ts';
import type { RankWeights } from './weights.ts';

/** This many places avoid repeated lines; an answer has fewer. */
const PLACES = 24;

export interface Scored {
  readonly candidate: Candidate;
  /** Hashes of the chunk's lines, as in {@link ChunkScore.lines}. */
  readonly lines: readonly number[];
  readonly score: ChunkScore;
}

/** Orders by score: a chunk loses the score of its best line if an earlier one already shows it. */
export function inOrder(scored: readonly Scored[], weights: RankWeights): readonly Ranked[] {
  const open = scored.map((one): Open => ({ one, score: scoreOf(one, weights) }));
  // Equal scores keep their order.
  open.sort((a, b) => b.score - a.score);
  const order: Ranked[] = [];
  const shown = new Set<number>();
  let floor = Number.POSITIVE_INFINITY;
  while (order.length < PLACES && open.length > 0) {
    const next = takeBest(open, shown, weights);
    floor = Math.min(floor, next.score);
    order.push({ id: next.one.candidate.id, score: floor });
    for (const line of next.one.lines) shown.add(line);
  }
  for (const { one, score } of open) order.push({ id: one.candidate.id, score: Math.min(floor, score) });
  return order;
}

interface Open {
  readonly one: Scored;
  readonly score: number;
}

/** The first in order that keeps its place after subtracting lines already shown. */
function takeBest(open: Open[], shown: ReadonlySet<number>, weights: RankWeights): Open {
  let chosen = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (const [at, { one, score }] of open.entries()) {
    if (score <= highest) break;
    const left = score - weights.diversity * lost(one, shown, weights);
    if (left > highest) {
      highest = left;
      chosen = at;
    }
  }
  const [taken] = open.splice(chosen, 1);
  if (taken === undefined) throw new RangeError('an empty list has no best');
  return { ...taken, score: highest };
}

/** The part of a chunk's word score by which its best line exceeds its best line not shown yet. */
function lost({ lines, score }: Scored, shown: ReadonlySet<number>, weights: RankWeights): number {
  const highest = best(score.lines);
  if (highest === 0) return 0;
  const fresh = best(score.lines.filter((_, at) => !shown.has(lines[at] ?? 0)));
  return (1 - fresh / highest) * (score.words + weights.line * highest);
}

function scoreOf({ candidate, score }: Scored, weights: RankWeights): number {
  return (
    score.setting +
    score.words +
    weights.line * best(score.lines) +
    weights.similarity * (candidate.similarity ?? 0)
  );
}

function best(scores: readonly number[]): number {
  let highest = 0;
  for (const one of scores) if (one > highest) highest = one;
  return highest;
}
