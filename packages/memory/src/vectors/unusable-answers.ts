import { BulkheadError } from '@bulkhead/protocol';
import { UnusableVectors } from './checked-vectors.ts';

/** Most unusable answers for one text: each may have cost money. */
const MOST = 8;
/** After this many, the text is requested alone. */
const SUSPECT = 2;

/** Counts the unusable answers of an embedder, by a text's words: a changed text starts again. */
export class UnusableAnswers {
  readonly #counts = new Map<string, number>();

  /** @returns false for an error that is not an answer */
  note(error: unknown, keys: Iterable<string>): boolean {
    if (!isAnswer(error)) return false;
    for (const key of keys) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return true;
  }

  /** True for a text to request alone: it may have caused the bad answer for others. */
  isSuspect(key: string): boolean {
    return (this.#counts.get(key) ?? 0) >= SUSPECT;
  }

  /** True for a text that is not requested any more. */
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
