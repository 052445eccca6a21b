import type { MemoryHit } from '../memory-hit.ts';
import type { QuerySimilarity } from '../vectors/index.ts';
import type { ReadChunk } from './chunk-reader.ts';
import { distinctHits } from './distinct-hits.ts';
import type { IndexReader } from './index-reader.ts';
import { RANK_ALL } from './rank-all.ts';
import type { SearchOptions } from './search-options.ts';
import { wordsToFind } from './words-to-find.ts';

/** Chosen by words, and the best of them ranked with those beside them. */
const CHOSEN = { most: 64, postings: 20_000 };
const WITH_NEIGHBOURS = 8;
/** Chosen by vectors. */
const NEAREST = 16;
/** Of a query, characters. */
const MOST_QUERY = 4_000;
const DEFAULT_LIMIT = 5;

/** Answers from the index alone: no file is read. */
export function searchIndex(
  reader: IndexReader,
  query: string,
  similarity: QuerySimilarity | undefined,
  options: Pick<SearchOptions, 'limit' | 'now' | 'sources'>,
): readonly MemoryHit[] {
  const text = boundedQuery(query);
  const chunks = new Map<number, ReadChunk>();
  for (const id of candidateIds(reader, text, similarity, reader.facts.filter(options.sources))) {
    const chunk = reader.chunks.chunk(id);
    if (chunk !== undefined) chunks.set(id, withSimilarity(chunk, similarity?.of(id)));
  }
  // Ids differ between two indexes of the same files; what is ranked and how equals are ordered must not.
  const ordered = [...chunks.values()].sort((a, b) => reader.facts.tie(a.id) - reader.facts.tie(b.id));
  const ranked = reader.ranker.rank(text, options.now, ordered, reader.stats()).flatMap(({ id, score }) => {
    const chunk = chunks.get(id);
    return chunk === undefined || score <= 0 ? [] : [{ chunk, score }];
  });
  return distinctHits(ranked, options.limit ?? DEFAULT_LIMIT).map(({ chunk, score }) => hitOf(chunk, score));
}

export function boundedQuery(query: string): string {
  return query.slice(0, MOST_QUERY).toWellFormed();
}

function candidateIds(
  reader: IndexReader,
  query: string,
  similarity: QuerySimilarity | undefined,
  allowed: (id: number) => boolean,
): Iterable<number> {
  const { facts, chunks, chooser } = reader;
  if (facts.count <= RANK_ALL) return Array.from({ length: facts.end }, (_, id) => id).filter(allowed);
  const chosen = chooser.choose(wordsToFind(query, reader.stats()), allowed, CHOSEN);
  const beside = chosen.slice(0, WITH_NEIGHBOURS).flatMap((id) => chunks.neighbours(id));
  return new Set([...chosen, ...beside.filter(allowed), ...(similarity?.nearest(NEAREST, allowed) ?? [])]);
}

/** The very object that is kept: ranking may remember by it what it found out about the words. */
function withSimilarity(chunk: ReadChunk, similarity: number | undefined): ReadChunk {
  if (similarity === undefined) delete chunk.similarity;
  else chunk.similarity = similarity;
  return chunk;
}

function hitOf({ source, path, heading, date, lines, text }: ReadChunk, score: number): MemoryHit {
  return { source, path, heading, date, lines, text, score };
}
