import type { ChunkFacts } from '../chunks/chunk-facts.ts';
import type { WordPostings } from './word-postings.ts';
import { twiceToken, wordToken } from './word-tokens.ts';

/** BM25's constants, as commonly used. The result only selects candidates for ranking. */
const K1 = 1.2;
const B = 0.75;

/** Cost limits of one choice. */
export interface ChoiceBounds {
  /** Chunks to choose. */
  readonly most: number;
  /** Postings to read: rare words first, so the most common are skipped when it is used up. */
  readonly postings: number;
}

interface WantedWord {
  readonly token: string;
  readonly twice: string;
  readonly weight: number;
  readonly cost: number;
}

/** Chooses candidates for ranking, by words alone, in bounded time however common the words are. */
export class CandidateChooser {
  readonly #facts: ChunkFacts;
  readonly #postings: WordPostings;
  /** By id; all zero between two choices. */
  #scores = new Float64Array(0);

  constructor(facts: ChunkFacts, postings: WordPostings) {
    this.#facts = facts;
    this.#postings = postings;
  }

  /**
   * Returns the chunks with most of a query's rare words, by BM25 with word counts of one, or two
   * and more. The same for every index of the same files.
   *
   * @param wanted terms of the query
   * @returns ids, best first
   */
  choose(
    wanted: Iterable<string>,
    allowed: (id: number) => boolean,
    bounds: ChoiceBounds,
  ): readonly number[] {
    if (this.#scores.length < this.#facts.end) this.#scores = new Float64Array(this.#facts.end);
    const found = this.#score(this.#affordable(wanted, bounds.postings), allowed);
    const best = this.#best(found, bounds.most);
    for (const id of found) this.#scores[id] = 0;
    return best;
  }

  /** Returns the rarest words whose total cost fits the budget. */
  #affordable(wanted: Iterable<string>, budget: number): readonly WantedWord[] {
    const words = [...new Set(wanted)]
      .map((term) => this.#wantedWord(term))
      .filter(({ cost }) => cost > 0)
      .sort((a, b) => a.cost - b.cost || (a.token < b.token ? -1 : 1));
    let spent = 0;
    return words.filter(({ cost }) => {
      spent += cost;
      return spent <= budget;
    });
  }

  #wantedWord(term: string): WantedWord {
    const token = wordToken(term);
    const twice = twiceToken(term);
    const frequency = this.#postings.frequency(token);
    const weight = Math.log(1 + (this.#facts.count - frequency + 0.5) / (frequency + 0.5));
    return { token, twice, weight, cost: frequency };
  }

  /** @returns the chunks with any of the words */
  #score(words: readonly WantedWord[], allowed: (id: number) => boolean): readonly number[] {
    const found: number[] = [];
    for (const { token, twice, weight } of words) {
      this.#postings.visit(token, (id) => {
        if (!allowed(id)) return;
        if (this.#scores[id] === 0) found.push(id);
        this.#add(id, weight * this.#part(id, 1));
      });
      this.#postings.visit(twice, (id) => {
        if (allowed(id)) this.#add(id, weight * (this.#part(id, 2) - this.#part(id, 1)));
      });
    }
    return found;
  }

  #part(id: number, count: number): number {
    const length = this.#facts.terms(id) / Math.max(1, this.#facts.averageTerms);
    return (count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
  }

  #add(id: number, score: number): void {
    this.#scores[id] = (this.#scores[id] ?? 0) + score;
  }

  /**
   * First finds the lowest score in the result: sorting all with their ties takes ten times as
   * long.
   */
  #best(found: readonly number[], most: number): readonly number[] {
    const scoreOf = (id: number) => this.#scores[id] ?? 0;
    const enough = nthLargest(found, scoreOf, most);
    return found
      .filter((id) => scoreOf(id) >= enough)
      .sort((a, b) => scoreOf(b) - scoreOf(a) || this.#facts.tie(a) - this.#facts.tie(b))
      .slice(0, most);
  }
}

/** One pass: few are among the best so far, and only those are moved. */
function nthLargest(ids: readonly number[], scoreOf: (id: number) => number, n: number): number {
  const best = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
  for (const id of ids) {
    const score = scoreOf(id);
    if (score <= (best[n - 1] ?? 0)) continue;
    let at = n - 1;
    for (; at > 0 && (best[at - 1] ?? 0) < score; at -= 1) best[at] = best[at - 1] ?? 0;
    best[at] = score;
  }
  return best[n - 1] ?? 0;
}
