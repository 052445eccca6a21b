import type { Redaction, Redactor } from '@bulkhead/protocol';
import { createRedaction } from '@bulkhead/shield';

/** Secrets that were seen stay known, so many of them: a change of key must not bring the old one to light. */
const MOST_KNOWN = 256;

/**
 * The redaction of one engine: formats of keys, and every secret the engine itself holds, as they are at the moment. A
 * stream goes on with those it began with.
 */
export class KnownSecrets implements Redaction {
  readonly #stored: () => readonly string[];
  readonly #known = new Set<string>();
  #current: Redaction | undefined;
  /** Looked into the store in this step of the program, during which nothing else runs. */
  #hasLooked = false;

  /** @param stored the secrets of the store as it is now, asked once in a step; if they can't be read, those known so far count */
  constructor(stored: () => readonly string[]) {
    this.#stored = stored;
    this.redact = this.redact.bind(this);
  }

  /** Empty ones are none. What is beyond the most that can be known is not found by its value. */
  add(...values: readonly (string | undefined)[]): void {
    for (const value of values) {
      if (value === undefined || value === '' || this.#known.has(value)) continue;
      if (this.#known.size >= MOST_KNOWN) return;
      this.#known.add(value);
      this.#current = undefined;
    }
  }

  redactor(): Redactor {
    return this.#now().redactor();
  }

  redact(text: string): string {
    return this.#now().redact(text);
  }

  #now(): Redaction {
    this.#look();
    this.#current ??= createRedaction([...this.#known]);
    return this.#current;
  }

  /** A record has a hundred texts, all redacted in one step: once for all of them. */
  #look(): void {
    if (this.#hasLooked) return;
    this.#hasLooked = true;
    queueMicrotask(() => {
      this.#hasLooked = false;
    });
    this.add(...this.#read());
  }

  #read(): readonly string[] {
    try {
      return this.#stored();
    } catch {
      return [];
    }
  }
}
