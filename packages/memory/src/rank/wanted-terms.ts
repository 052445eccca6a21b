import { hashOf } from '../text/term-reader.ts';
import type { CorpusStats } from './candidate.ts';

/** Low bits of a hash, which suffice to exclude most words of a chunk. */
const MASK = 0xff_ff;

/** The worth of a text's term for the question. */
export interface TermWorth {
  /** The question's word that it matches. */
  readonly concept: number;
  readonly worth: number;
}

interface Claim {
  readonly concept: number;
  readonly share: number;
  readonly own: number;
}

interface Wanted {
  readonly term: string;
  readonly claims: Claim[];
  worth: TermWorth | undefined;
}

/**
 * The terms that match a question. A term's rarity needs an index look-up, so it is computed only
 * when a text has the term: most related terms never occur.
 */
export class WantedTerms {
  readonly #stats: CorpusStats;
  readonly #wanted = new Map<number, Wanted>();
  readonly #mask = new Uint8Array(MASK + 1);

  constructor(stats: CorpusStats) {
    this.#stats = stats;
  }

  /**
   * @param share - Worth relative to the word itself, which is worth 1.
   * @param own - Rarity of the question's word; a related term is never worth more.
   */
  claim(term: string, claim: Claim): void {
    if (claim.share <= 0) return;
    const hash = hashOf(term);
    const known = this.#wanted.get(hash);
    if (known === undefined) this.#wanted.set(hash, { term, claims: [claim], worth: undefined });
    else known.claims.push(claim);
    this.#mask[hash & MASK] = 1;
  }

  /** @param hash - Of a term; see `hashOf`. */
  worthOf(hash: number): TermWorth | undefined {
    if (this.#mask[hash & MASK] === 0) return undefined;
    const wanted = this.#wanted.get(hash);
    if (wanted === undefined) return undefined;
    wanted.worth ??= highest(wanted.claims, rarity(wanted.term, this.#stats));
    return wanted.worth;
  }
}

/**
 * Inverse document frequency, never negative; a word without occurrences counts as one with a
 * single one.
 */
export function rarity(term: string, stats: CorpusStats): number {
  const frequency = Math.max(1, stats.documentFrequency(term));
  return Math.log(1 + (Math.max(stats.chunks, frequency) - frequency + 0.5) / (frequency + 0.5));
}

function highest(claims: readonly Claim[], rare: number): TermWorth {
  let best: TermWorth = { concept: 0, worth: 0 };
  for (const { concept, share, own } of claims) {
    const worth = share * Math.min(own, rare);
    if (worth > best.worth) best = { concept, worth };
  }
  return best;
}
