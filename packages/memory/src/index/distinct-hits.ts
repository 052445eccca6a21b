import type { ReadChunk } from './chunk-reader.ts';

/** A chunk that shares more of its characters with better ones than it has of its own tells too little to take a place. */
const LEAST_OWN = 0.5;

/**
 * Takes from ranked chunks the first that tell different things: no two with the same words, and none that is for the most part in better
 * ones, which share lines with it through overlap.
 *
 * @param ranked best first
 */
export function distinctHits<Ranked extends { readonly chunk: ReadChunk }>(
  ranked: Iterable<Ranked>,
  limit: number,
): readonly Ranked[] {
  const taken: Ranked[] = [];
  const keys = new Set<string>();
  for (const one of ranked) {
    if (taken.length >= limit) break;
    if (keys.has(one.chunk.key) || ownShare(one.chunk, taken) < LEAST_OWN) continue;
    keys.add(one.chunk.key);
    taken.push(one);
  }
  return taken;
}

/** Share of a chunk's characters in lines that no other one has. */
function ownShare(
  { path, lines: [first, last], text }: ReadChunk,
  others: readonly { readonly chunk: ReadChunk }[],
): number {
  const beside = others.filter(
    ({ chunk }) => chunk.path === path && chunk.lines[0] <= last && first <= chunk.lines[1],
  );
  const lines = text.split('\n');
  // Pieces of one long line bear the same number: by numbers they can't be told apart.
  if (beside.length === 0 || lines.length !== last - first + 1) return 1;
  const own = lines.filter(
    (_, at) => !beside.some(({ chunk }) => chunk.lines[0] <= first + at && first + at <= chunk.lines[1]),
  );
  return own.join('\n').length / Math.max(1, text.length);
}
