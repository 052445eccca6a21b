import type { MemoryHit } from '../memory-hit.ts';
import { terms } from '../text/terms.ts';
import type { QuerySimilarity } from '../vectors/index.ts';
import type { ReadChunk } from './chunk-reader.ts';
import { distinctHits } from './distinct-hits.ts';
import type { IndexReader } from './index-reader.ts';
import type { SearchOptions } from './search-options.ts';

/** Up to here every chunk is ranked; a larger memory has a choice made first. */
const RANK_ALL = 2_000;
/** Chosen by words, and the best of them ranked with those beside them. */
const CHOSEN = { most: 64, postings: 20_000 };
const WITH_NEIGHBOURS = 8;
/** Chosen by vectors. */
const NEAREST = 16;
/** Of a query; what is longer is a text, and its first words tell what it is about. */
const MOST_QUERY = 4_000;
const MOST_TERMS = 64;
const DEFAULT_LIMIT = 5;

/** Answers from the index alone: no file is read. */
export function searchIndex(
  reader: IndexReader,
  query: string,
  similarity: QuerySimilarity | undefined,
  options: Pick<SearchOptions, 'limit' | 'now' | 'sources'>,
): readonly MemoryHit[] {
  const text = boundedQuery(query);
  const wanted = [...new Set(terms(text))].slice(0, MOST_TERMS);
  const chunks = new Map<number, ReadChunk>();
  for (const id of candidateIds(reader, wanted, similarity, reader.facts.filter(options.sources))) {
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
  { facts, chunks, chooser }: IndexReader,
  wanted: readonly string[],
  similarity: QuerySimilarity | undefined,
  allowed: (id: number) => boolean,
): Iterable<number> {
  if (facts.count <= RANK_ALL) return Array.from({ length: facts.end }, (_, id) => id).filter(allowed);
  const chosen = chooser.choose(wanted, allowed, CHOSEN);
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
