import type { MemoryHit } from '../memory-hit.ts';
import { alikeTo } from '../rank/alike.ts';
import type { CorpusStats, Ranked } from '../rank/candidate.ts';
import { commonTerms } from '../text/common-words.ts';
import { terms } from '../text/terms.ts';
import type { QuerySimilarity } from '../vectors/index.ts';
import type { ReadChunk } from './chunk-reader.ts';
import type { IndexReader } from './index-reader.ts';
import { RANK_ALL } from './rank-all.ts';
import type { SearchOptions } from './search-options.ts';

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

/** A chunk that shares more than this with better ones adds too little to take a place. */
const LEAST_OWN = 0.5;

/**
 * Takes the first distinct ranked chunks: no two with the same words, and none whose text is mostly
 * in better ones, which share lines with it through overlap.
 *
 * @param ranked best first
 */
function distinctHits<Ranked extends { readonly chunk: ReadChunk }>(
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

/** Most terms of a query; in a longer text, the first words show its topic. */
const MOST_TERMS = 64;
/** Most similar words for a word without occurrences, as with a typing error. */
const MOST_ALIKE = 3;
const LEAST_ALIKE = 0.6;
const COMMON = commonTerms();

/**
 * Returns the terms of a query used to choose chunks: without those in nearly every text, which
 * cost most, unless there are no others; for a term without occurrences, the words with the most
 * similar spelling.
 */
export function wordsToFind(query: string, stats: CorpusStats): readonly string[] {
  const all = [...new Set(terms(query))].slice(0, MOST_TERMS);
  const telling = all.filter((term) => !COMMON.has(term));
  return (telling.length > 0 ? telling : all).flatMap((term) =>
    stats.documentFrequency(term) > 0 ? [term] : nearest(term, stats),
  );
}

function nearest(term: string, stats: CorpusStats): readonly string[] {
  const alike = alikeTo(term);
  return [...(stats.alike?.(term) ?? [])]
    .map((other) => ({ other, share: alike(other) }))
    .filter(({ share }) => share >= LEAST_ALIKE)
    .sort((a, b) => b.share - a.share || (a.other < b.other ? -1 : 1))
    .slice(0, MOST_ALIKE)
    .map(({ other }) => other);
}
