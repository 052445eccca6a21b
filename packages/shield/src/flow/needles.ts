import type { Secrecy } from '@bulkhead/protocol';
import { coreOf, type Readings } from './decodings.ts';
import { isAtLeast } from './label.ts';

/** A piece of secret data that was read, to be recognized later. Plain data. */
export interface Needle {
  /** Letters and digits only, folded. */
  readonly core: string;
  readonly secrecy: Secrecy;
  /** Its source, for people. */
  readonly source: string;
}

/**
 * Comparisons of one search; a text that needs more was crafted, and counts as holding the most
 * secret needle.
 */
const MAX_COMPARISONS = 200_000;

/** Most needles of one text. */
const MAX_NEEDLES = 2_000;

/** Shorter cores occur in too many texts to be evidence. */
const MIN_CORE = 6;

/**
 * Returns the recognizable pieces of a secret text: values with digits, long words, whole lines.
 */
export function needlesIn(text: string, secrecy: Secrecy, source: string): readonly Needle[] {
  const cores = new Set<string>();
  for (const line of text.split('\n')) {
    const value = line.replace(/^\s*(?:export\s+)?[\w.-]{1,80}\s*[=:]\s*/u, '');
    for (const piece of [value, ...line.split(/[\s"'`=:,;<>(){}[\]]+/u)]) {
      const core = coreOf(piece);
      const telling = /\p{N}/u.test(core) ? core.length >= MIN_CORE : core.length >= 12;
      if (telling && core.length <= 8_192) cores.add(core);
    }
    if (cores.size >= MAX_NEEDLES) break;
  }
  return [...cores].slice(0, MAX_NEEDLES).map((core) => ({ core, secrecy, source }));
}

/** Needles by their start, so that one pass over a text finds those of a long session. */
export class NeedleIndex {
  readonly #byStart = new Map<string, Needle[]>();

  get isEmpty(): boolean {
    return this.#byStart.size === 0;
  }

  add(needles: readonly Needle[]): void {
    for (const needle of needles) {
      const start = needle.core.slice(0, MIN_CORE);
      const same = this.#byStart.get(start);
      if (same === undefined) this.#byStart.set(start, [needle]);
      else if (!same.some(({ core, secrecy }) => core === needle.core && secrecy === needle.secrecy))
        same.push(needle);
    }
  }

  clear(): void {
    this.#byStart.clear();
  }

  /**
   * Returns the most secret needle in any of these readings; empty if there is none. Time is
   * bounded: text that was not fully searched or read never counts as clean.
   */
  find({ texts, complete }: Readings): readonly Needle[] {
    const [first] = this.#byStart.values();
    if (!complete) return first?.[0] === undefined ? [] : [this.#worst(first[0])];
    let found: Needle | undefined;
    let comparisons = 0;
    for (const { reading, at, needle } of this.#candidates(texts)) {
      comparisons += 1;
      if (comparisons > MAX_COMPARISONS) return [this.#worst(needle)];
      if (found !== undefined && isAtLeast(found.secrecy, needle.secrecy)) continue;
      if (reading.startsWith(needle.core, at)) found = needle;
    }
    return found === undefined ? [] : [found];
  }

  /** Positions where a needle may start. */
  *#candidates(readings: readonly string[]): Generator<{ reading: string; at: number; needle: Needle }> {
    for (const reading of readings) {
      for (let at = 0; at + MIN_CORE <= reading.length; at += 1) {
        const same = this.#byStart.get(reading.slice(at, at + MIN_CORE));
        for (const needle of same ?? []) yield { reading, at, needle };
      }
    }
  }

  #worst(other: Needle): Needle {
    return [...this.#byStart.values()]
      .flat()
      .reduce((worst, needle) => (isAtLeast(worst.secrecy, needle.secrecy) ? worst : needle), other);
  }
}
