import type { NearestOptions, ReadVector } from './nearest-options.ts';
import { cosine } from './quantise.ts';

/**
 * Orders candidates by their exact angle to the query, and takes the first. Skips those without a
 * vector.
 */
export function nearestOf(
  candidates: readonly number[],
  query: Int8Array,
  read: ReadVector,
  { count, tie }: Pick<NearestOptions, 'count' | 'tie'>,
): readonly number[] {
  return candidates
    .flatMap((id) => {
      const vector = read(id);
      return vector === undefined ? [] : [{ id, similarity: cosine(vector, query) }];
    })
    .sort((a, b) => b.similarity - a.similarity || tie(a.id) - tie(b.id))
    .slice(0, count)
    .map(({ id }) => id);
}
