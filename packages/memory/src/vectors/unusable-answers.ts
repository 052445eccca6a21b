import { BulkheadError } from '@bulkhead/protocol';
import { UnusableVectors } from './checked-vectors.ts';

/** Answers without vectors that one text may get: each may have been paid for. */
const MOST = 8;
/** After so many it is asked for by itself. */
const SUSPECT = 2;

/** Texts that an embedder answered, and gave no vectors for that can be used. Counted by a text's words: another text begins anew. */
export class UnusableAnswers {
  readonly #counts = new Map<string, number>();

  /** @returns false for an error that is no answer */
  note(error: unknown, keys: Iterable<string>): boolean {
    if (!isAnswer(error)) return false;
    for (const key of keys) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return true;
  }

  /** True for a text that is to be asked for by itself: it may be what spoilt the answer for others. */
  isSuspect(key: string): boolean {
    return (this.#counts.get(key) ?? 0) >= SUSPECT;
  }

  /** True for a text that is not asked for any more. */
  isGivenUp(key: string): boolean {
    return (this.#counts.get(key) ?? 0) >= MOST;
  }

  forget(keys: Iterable<string>): void {
    for (const key of keys) this.#counts.delete(key);
  }
}

function isAnswer(error: unknown): boolean {
  if (error instanceof UnusableVectors) return true;
  return BulkheadError.is(error) && error.details['answered'] === true;
}
