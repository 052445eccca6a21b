import { daysAfter } from '../text/days.ts';
import type { ChunkFeatures, LineFeatures } from './chunk-features.ts';
import type { Question } from './question.ts';
import type { RankWeights } from './weights.ts';

/** How long after a day people still tell of it, in days. */
const TOLD_AFTER = 14;
const NONE: readonly number[] = [];

/** What speaks for a chunk: 0 for nothing, about 1 for each sign that fits wholly. */
export interface ChunkScore {
  /** The words of the chunk; without its best line. */
  readonly words: number;
  /** Date and person. */
  readonly setting: number;
  /** By line: how well it answers by itself. */
  readonly lines: readonly number[];
}

/** Scores chunks for one question; holds the working memory for it. */
export class ChunkScorer {
  readonly #question: Question;
  readonly #weights: RankWeights;
  readonly #averageTerms: number;
  /** By concept: the best that was found of it so far. */
  readonly #found: Float64Array;
  /** By term: how often it was found in the chunk at hand. */
  readonly #counts = new Map<number, number>();

  constructor(question: Question, weights: RankWeights, averageTerms: number) {
    this.#question = question;
    this.#weights = weights;
    this.#averageTerms = Math.max(1, averageTerms);
    this.#found = new Float64Array(question.concepts);
  }

  score(chunk: ChunkFeatures): ChunkScore {
    const hits = chunk.lines.map((line) => this.#hits(line));
    const alone = chunk.lines.map((line, at) => this.#line(line, hits[at] ?? NONE));
    const { lineContext } = this.#weights;
    return {
      words: this.#words(chunk, hits),
      setting: this.#person(chunk) + this.#date(chunk),
      lines: alone.map((one, at) => one + lineContext * Math.max(alone[at - 1] ?? 0, alone[at + 1] ?? 0)),
    };
  }

  /** The terms of a line that stand for something asked for; the one pass over all words. */
  #hits({ terms }: LineFeatures): readonly number[] {
    const { worthOf } = this.#question;
    let hits: number[] | undefined;
    for (let at = 0; at < terms.length; at += 1) {
      const id = terms[at] ?? 0;
      if ((worthOf[id] ?? 0) === 0) continue;
      hits ??= [];
      hits.push(id);
    }
    return hits ?? NONE;
  }

  /** BM25 over concepts; what others than the persons asked about say counts less. */
  #words(chunk: ChunkFeatures, hits: readonly (readonly number[])[]): number {
    const { k1, b, otherSpeaker } = this.#weights;
    const { conceptOf, worthOf } = this.#question;
    this.#counts.clear();
    for (const [at, line] of chunk.lines.entries()) {
      const share = this.#isOther(line) ? otherSpeaker : 1;
      for (const id of hits[at] ?? NONE) this.#counts.set(id, (this.#counts.get(id) ?? 0) + share);
    }
    this.#found.fill(0);
    const norm = k1 * (1 - b + (b * chunk.length) / this.#averageTerms);
    for (const [id, count] of this.#counts)
      this.#keep(conceptOf[id] ?? 0, ((worthOf[id] ?? 0) * count * (k1 + 1)) / (count + norm));
    this.#fields(chunk);
    return this.#sum();
  }

  #fields(chunk: ChunkFeatures): void {
    const { conceptOf, worthOf } = this.#question;
    for (const id of chunk.date)
      if ((worthOf[id] ?? 0) > 0)
        this.#keep(conceptOf[id] ?? 0, (worthOf[id] ?? 0) * this.#weights.dateWords);
    for (const id of chunk.heading)
      if ((worthOf[id] ?? 0) > 0) this.#keep(conceptOf[id] ?? 0, (worthOf[id] ?? 0) * this.#weights.heading);
  }

  #line(line: LineFeatures, hits: readonly number[]): number {
    if (hits.length === 0) return 0;
    const { conceptOf, worthOf, shapes } = this.#question;
    this.#found.fill(0);
    for (const id of hits) this.#keep(conceptOf[id] ?? 0, worthOf[id] ?? 0);
    const shaped = (line.shapes & shapes) !== 0;
    const { otherSpeaker, answerShape } = this.#weights;
    return this.#sum() * (this.#isOther(line) ? otherSpeaker : 1) * (shaped ? 1 + answerShape : 1);
  }

  /** Whether somebody is asked about and somebody else speaks. */
  #isOther({ speaker }: LineFeatures): boolean {
    const { persons } = this.#question;
    return persons.size > 0 && speaker !== '' && !isNamed(speaker, persons);
  }

  #person(chunk: ChunkFeatures): number {
    const { persons } = this.#question;
    if (persons.size === 0) return 0;
    return chunk.lines.some((line) => isNamed(line.speaker, persons)) ? this.#weights.name : 0;
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

  /** Share of what the question is worth. */
  #sum(): number {
    let sum = 0;
    for (const one of this.#found) sum += one;
    return sum / Math.max(this.#question.best, Number.EPSILON);
  }
}

function isNamed(speaker: string, persons: ReadonlySet<string>): boolean {
  if (speaker === '') return false;
  return (
    persons.has(speaker) || (speaker.includes(' ') && speaker.split(' ').some((word) => persons.has(word)))
  );
}
