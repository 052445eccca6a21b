import type { SearchHit } from '../session-store.ts';

/** The first `limit` results of `hit`. */
export function firstHits(
  ids: Iterable<number>,
  limit: number,
  hit: (id: number) => SearchHit | undefined,
): readonly SearchHit[] {
  const hits: SearchHit[] = [];
  if (limit <= 0) return hits;
  for (const id of ids) {
    const found = hit(id);
    if (found !== undefined) hits.push(found);
    if (hits.length >= limit) break;
  }
  return hits;
}
