import type { AnchorAutomaton, FoundAnchor } from './anchor-automaton.ts';
import { type Candidate, CONTEXT, type SecretFormat } from './candidate.ts';
import { isBlank, isLineBreak, MOST_BREAK } from './value-candidate.ts';

/** Hidden characters: from the first to before `to`. */
export interface Region {
  readonly kind: string;
  readonly from: number;
  to: number;
}

interface Attempt {
  readonly format: SecretFormat;
  readonly candidate: Candidate;
  /** Set once it is a secret. */
  region: Region | undefined;
}

/** More than the longest anchor, in characters; a power of two. */
const RING = 64;

/**
 * Reads a text one character at a time and finds the parts to hide. Work for each character is
 * constant, except for the open attempts, and each of these is bounded.
 */
export class StreamScanner {
  readonly #automaton: AnchorAutomaton<SecretFormat>;
  readonly #before: (start: number) => string;
  #state = 0;
  /** Positions of the last characters other than line breaks and indentation. */
  readonly #places = new Float64Array(RING);
  #counted = 0;
  /** Length of the current line break with its indentation, in characters. */
  #break = 0;
  #attempts: Attempt[] = [];
  #regions: Region[] = [];

  /** @param before returns up to `CONTEXT` characters before a position */
  constructor(automaton: AnchorAutomaton<SecretFormat>, before: (start: number) => string) {
    this.#automaton = automaton;
    this.#before = before;
  }

  /** The parts to hide, in the order they were found. */
  get regions(): readonly Region[] {
    return this.#regions;
  }

  /** True if a part has begun that may turn out to be a secret. */
  get isUndecided(): boolean {
    return this.#attempts.some(
      ({ candidate, region }) => region === undefined && candidate.from !== undefined,
    );
  }

  take(code: number, at: number): void {
    if (this.#attempts.length > 0) {
      this.#attempts = this.#attempts.filter((attempt) => this.#goesOn(attempt, code, at));
    }
    if (isLineBreak(code) || (this.#break > 0 && isBlank(code))) {
      this.#break += 1;
      if (this.#break > MOST_BREAK) this.#state = 0;
      return;
    }
    this.#break = 0;
    this.#state = this.#automaton.step(this.#state, code);
    this.#places[this.#counted & (RING - 1)] = at;
    this.#counted += 1;
    for (const found of this.#automaton.found(this.#state)) this.#open(found, at);
  }

  /** The first position that may still become part of a secret; `next` if there is none. */
  heldFrom(next: number): number {
    const held = this.#automaton.held(
      this.#state,
      (characters) => next - this.#placeOf(characters) === characters,
    );
    let place = held === 0 ? next : this.#placeOf(held);
    for (const { candidate, region } of this.#attempts) {
      if (region === undefined && candidate.from !== undefined) place = Math.min(place, candidate.from);
    }
    return place;
  }

  /** Decides all open attempts, since no more text follows. */
  end(next: number): void {
    for (const { candidate, region } of this.#attempts) {
      if (region === undefined && candidate.end()) this.#hide(candidate, next);
    }
    this.#attempts = [];
    this.#state = 0;
  }

  /** Forgets parts that end before a position and no longer grow. */
  forget(before: number): void {
    if (this.#regions.length === 0) return;
    const open = new Set(this.#attempts.map(({ region }) => region));
    this.#regions = this.#regions.filter((region) => region.to > before || open.has(region));
  }

  #goesOn(attempt: Attempt, code: number, at: number): boolean {
    const step = attempt.candidate.take(code, at);
    if (step === 'hidden' || step === 'last') this.#extend(attempt, at + 1);
    if (step === 'past') this.#extend(attempt, at);
    return step === 'undecided' || step === 'hidden';
  }

  #extend(attempt: Attempt, to: number): void {
    if (attempt.region === undefined) attempt.region = this.#hide(attempt.candidate, to);
    else attempt.region.to = to;
  }

  #hide({ kind, from = 0 }: Candidate, to: number): Region {
    const region = { kind, from, to };
    this.#regions.push(region);
    return region;
  }

  #open({ length, acrossLines, meaning }: FoundAnchor<SecretFormat>, at: number): void {
    const start = this.#placeOf(length);
    if (!acrossLines && (at + 1 - start !== length || this.#isHidden(meaning))) return;
    const candidate = meaning.open({ start, next: at + 1, before: this.#before(start).slice(-CONTEXT) });
    if (candidate !== undefined) this.#attempts.push({ format: meaning, candidate, region: undefined });
  }

  /** True inside a secret of the same format, which continues as far as another one would. */
  #isHidden(format: SecretFormat): boolean {
    return this.#attempts.some((attempt) => attempt.format === format && attempt.region !== undefined);
  }

  /** Position of the first of so many last counted characters. */
  #placeOf(characters: number): number {
    return this.#places[(this.#counted - characters) & (RING - 1)] ?? 0;
  }
}
