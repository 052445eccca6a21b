import { daysAfter } from '../text/days.ts';
import type { ChunkFeatures } from './chunk-features.ts';
import type { Question } from './question.ts';
import type { TermWorth } from './wanted-terms.ts';
import type { RankWeights } from './weights.ts';

/** How many days after an event people still mention it. */
const TOLD_AFTER = 14;
const NO_LINES: readonly number[] = [];

/** A line with a match of the question. */
interface HitLine {
  readonly at: number;
  readonly hits: TermWorth[];
  /** The question is about one person, and another one speaks. */
  readonly byOther: boolean;
}

/** The score of a chunk: 0 for no match, about 1 for each fully matching sign. */
export interface ChunkScore {
  /** The words of the chunk, without its best line. */
  readonly words: number;
  /** Date and person. */
  readonly setting: number;
  /** By line: how well it answers alone. */
  readonly lines: readonly number[];
}

/** Scores chunks for one question; holds the working memory for it. */
export class ChunkScorer {
  readonly #question: Question;
  readonly #weights: RankWeights;
  readonly #averageTerms: number;
  /** By concept: its best match so far. */
  readonly #found: Float64Array;
  /** How often each term occurs in the current chunk. */
  readonly #counts = new Map<TermWorth, number>();

  constructor(question: Question, weights: RankWeights, averageTerms: number) {
    this.#question = question;
    this.#weights = weights;
    this.#averageTerms = Math.max(1, averageTerms);
    this.#found = new Float64Array(question.concepts);
  }

  score(chunk: ChunkFeatures): ChunkScore {
    const lines = this.#hitLines(chunk);
    return {
      words: this.#words(chunk, lines),
      setting: this.#person(chunk) + this.#date(chunk),
      lines: lines.length === 0 ? NO_LINES : this.#lines(chunk, lines),
    };
  }

  /** Returns the lines with a match; the only pass over all words. */
  #hitLines(chunk: ChunkFeatures): readonly HitLine[] {
    const { wanted } = this.#question;
    const { terms, ends } = chunk;
    const lines: HitLine[] = [];
    let line = 0;
    let open: HitLine | undefined;
    for (let at = 0; at < terms.length; at += 1) {
      const worth = wanted.worthOf(terms[at] ?? 0);
      if (worth === undefined) continue;
      while (at >= (ends[line] ?? terms.length)) line += 1;
      if (open?.at !== line) {
        open = { at: line, hits: [], byOther: this.#isOther(chunk.speakers[line]) };
        lines.push(open);
      }
      open.hits.push(worth);
    }
    return lines;
  }

  /** How well each line answers alone, and with its neighbour. */
  #lines({ hashes, shapes }: ChunkFeatures, lines: readonly HitLine[]): readonly number[] {
    const { lineContext } = this.#weights;
    const alone = new Array<number>(hashes.length).fill(0);
    for (const line of lines) alone[line.at] = this.#line(line, shapes[line.at] ?? 0);
    const scores = alone.slice();
    for (const { at } of lines)
      for (const beside of [at - 1, at + 1]) {
        const own = alone[beside];
        if (own === undefined) continue;
        const other = Math.max(alone[beside - 1] ?? 0, alone[beside + 1] ?? 0);
        scores[beside] = own + lineContext * other;
      }
    return scores;
  }

  /** BM25 over concepts; words of speakers not asked about count less. */
  #words(chunk: ChunkFeatures, lines: readonly HitLine[]): number {
    const { k1, b, otherSpeaker } = this.#weights;
    this.#counts.clear();
    for (const { hits, byOther } of lines) {
      const share = byOther ? otherSpeaker : 1;
      for (const hit of hits) this.#counts.set(hit, (this.#counts.get(hit) ?? 0) + share);
    }
    this.#found.fill(0);
    const norm = k1 * (1 - b + (b * chunk.length) / this.#averageTerms);
    for (const [{ concept, worth }, count] of this.#counts)
      this.#keep(concept, (worth * count * (k1 + 1)) / (count + norm));
    this.#fields(chunk);
    return this.#sum();
  }

  #fields({ date, heading }: ChunkFeatures): void {
    this.#field(date, this.#weights.dateWords);
    this.#field(heading, this.#weights.heading);
  }

  #field(terms: Uint32Array, share: number): void {
    for (const term of terms) {
      const hit = this.#question.wanted.worthOf(term);
      if (hit !== undefined) this.#keep(hit.concept, hit.worth * share);
    }
  }

  #line({ hits, byOther }: HitLine, shapes: number): number {
    this.#found.fill(0);
    for (const { concept, worth } of hits) this.#keep(concept, worth);
    const shaped = (shapes & this.#question.shapes) !== 0;
    const { otherSpeaker, answerShape } = this.#weights;
    return this.#sum() * (byOther ? otherSpeaker : 1) * (shaped ? 1 + answerShape : 1);
  }

  #isOther(speaker: Uint32Array | undefined): boolean {
    const { persons } = this.#question;
    return persons.size > 0 && speaker !== undefined && speaker.length > 0 && !isNamed(speaker, persons);
  }

  #person(chunk: ChunkFeatures): number {
    const { persons } = this.#question;
    if (persons.size === 0) return 0;
    return chunk.speakers.some((speaker) => isNamed(speaker, persons)) ? this.#weights.name : 0;
  }

  #date(chunk: ChunkFeatures): number {
    const { day } = chunk;
    if (day === undefined) return 0;
    let nearest = 0;
    for (const range of this.#question.ranges) {
      const after = daysAfter(day, range);
      if (after === 0) nearest = 1;
      else if (after > 0 && after <= TOLD_AFTER)
        nearest = Math.max(nearest, 0.6 * (1 - after / (TOLD_AFTER + 1)));
    }
    return this.#weights.date * nearest;
  }

  #keep(concept: number, value: number): void {
    if (value > (this.#found[concept] ?? 0)) this.#found[concept] = value;
  }

  /** Share of the question's total weight. */
  #sum(): number {
    let sum = 0;
    for (const one of this.#found) sum += one;
    return sum / Math.max(this.#question.best, Number.EPSILON);
  }
}

function isNamed(speaker: Uint32Array, persons: ReadonlySet<number>): boolean {
  for (const word of speaker) if (persons.has(word)) return true;
  return false;
}
