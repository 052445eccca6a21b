import type { ReadChunk } from './chunk-reader.ts';

/** A chunk that shares more than this with better ones adds too little to take a place. */
const LEAST_OWN = 0.5;

/**
 * Takes the first distinct ranked chunks: no two with the same words, and none whose text is mostly
 * in better ones, which share lines with it through overlap.
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

/** Share of a chunk's characters in lines that no other has. */
function ownShare(
  { path, lines: [first, last], text }: ReadChunk,
  others: readonly { readonly chunk: ReadChunk }[],
): number {
  const beside = others.filter(
    ({ chunk }) => chunk.path === path && chunk.lines[0] <= last && first <= chunk.lines[1],
  );
  const lines = text.split('\n');
  // Pieces of one long line have the same number, so numbers can't distinguish them.
  if (beside.length === 0 || lines.length !== last - first + 1) return 1;
  const own = lines.filter(
    (_, at) => !beside.some(({ chunk }) => chunk.lines[0] <= first + at && first + at <= chunk.lines[1]),
  );
  return own.join('\n').length / Math.max(1, text.length);
}
