import type { MemoryHit } from '../memory-hit.ts';
import type { Ranked } from '../rank/candidate.ts';
import type { QuerySimilarity } from '../vectors/index.ts';
import type { ReadChunk } from './chunk-reader.ts';
import { distinctHits } from './distinct-hits.ts';
import type { IndexReader } from './index-reader.ts';
import { RANK_ALL } from './rank-all.ts';
import type { SearchOptions } from './search-options.ts';
import { wordsToFind } from './words-to-find.ts';

/** Chosen by words; the best of them and their neighbours are ranked. */
const CHOSEN = { most: 64, postings: 20_000 };
const WITH_NEIGHBOURS = 8;
/** Chosen by vectors. */
const NEAREST = 16;
/** Of a query, characters. */
const MOST_QUERY = 4_000;
const DEFAULT_LIMIT = 5;
/**
 * Weight of a past session compared with an equal note: its questions match a question's words
 * best, but answer nothing.
 */
const SESSION_SHARE = 0.5;

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
    if (chunk === undefined) continue;
    // Set on the cached object: ranking caches word features by it.
    chunk.similarity = similarity?.of(id);
    chunks.set(id, chunk);
  }
  const ranked = reader.ranker.rank(text, options.now, [...chunks.values()], reader.stats());
  const shown = notesFirst([...worthShowing(ranked, chunks)]);
  return distinctHits(shown, options.limit ?? DEFAULT_LIMIT).map(({ chunk, score }) => hitOf(chunk, score));
}

interface ScoredChunk {
  readonly chunk: ReadChunk;
  readonly score: number;
}

/** @param ranked best first; equal scores keep their order */
function notesFirst(ranked: readonly ScoredChunk[]): readonly ScoredChunk[] {
  const isMixed = ranked.some(({ chunk }) => chunk.source === 'session');
  if (!isMixed) return ranked;
  return ranked
    .map(({ chunk, score }) => ({ chunk, score: chunk.source === 'session' ? SESSION_SHARE * score : score }))
    .sort((a, b) => b.score - a.score);
}

function* worthShowing(
  ranked: readonly Ranked[],
  chunks: ReadonlyMap<number, ReadChunk>,
): Generator<ScoredChunk> {
  for (const { id, score } of ranked) {
    const chunk = chunks.get(id);
    if (score > 0 && chunk !== undefined) yield { chunk, score };
  }
}

export function boundedQuery(query: string): string {
  return query.slice(0, MOST_QUERY).toWellFormed();
}

/**
 * Returns ids in an order that is the same in every index of the same files; the ids themselves
 * decide nothing.
 */
function candidateIds(
  reader: IndexReader,
  query: string,
  similarity: QuerySimilarity | undefined,
  allowed: (id: number) => boolean,
): readonly number[] {
  const { facts, chunks, chooser } = reader;
  if (facts.count <= RANK_ALL) return reader.inOrder.filter(allowed);
  const chosen = chooser.choose(wordsToFind(query, reader.stats()), allowed, CHOSEN);
  const beside = chosen.slice(0, WITH_NEIGHBOURS).flatMap((id) => chunks.neighbours(id));
  const nearest = similarity?.nearest(NEAREST, allowed) ?? [];
  const all = new Set([...chosen, ...beside.filter(allowed), ...nearest]);
  return [...all].sort((a, b) => facts.tie(a) - facts.tie(b));
}

function hitOf({ source, path, heading, date, lines, text }: ReadChunk, score: number): MemoryHit {
  return { source, path, heading, date, lines, text, score };
}
