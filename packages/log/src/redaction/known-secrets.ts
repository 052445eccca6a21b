import type { Redaction, Redactor } from '@bulkhead/protocol';
import { createRedaction } from '@bulkhead/shield';

/** Secrets that were seen stay known, so many of them: a change of key must not bring the old one to light. */
const MOST_KNOWN = 256;

/** Values of files that commands may read. */
const MOST_OF_FILES = 1_024;

/** Shorter texts are read again sooner than they are looked up, in characters. */
const LONG_TEXT = 16 * 1024;
/** Longest text that is known to be clean: an answer of a model is shorter, a command's output may have no end. */
const LONGEST_CLEAN = 2 * 1024 * 1024;
/** Clean texts that are known at once: the text, thinking and arguments of one answer, and another's beside it. */
const MOST_CLEAN = 6;

/**
 * The redaction of one engine: formats of keys, and every secret the engine itself holds, as they are at the moment. A
 * stream goes on with those it began with. A long text without a secret is read once, in small pieces if it came as a stream,
 * however often it is then written down and shown: what reads it whole keeps the thread [FG10].
 */
export class KnownSecrets implements Redaction {
  readonly #stored: () => readonly string[];
  readonly #make: (values: readonly string[]) => Redaction;
  readonly #known = new Set<string>();
  readonly #ofFiles = new Set<string>();
  #current: Redaction | undefined;
  /** Long texts that the current redaction found no secret in, the newest last. */
  #clean: readonly string[] = [];
  /** Looked into the store in this step of the program, during which nothing else runs. */
  #hasLooked = false;

  /**
   * @param stored the secrets of the store as it is now, asked once in a step; if they can't be read, those known so far count
   * @param make a redaction that knows these values
   */
  constructor(stored: () => readonly string[], make = createRedaction) {
    this.#stored = stored;
    this.#make = make;
    this.redact = this.redact.bind(this);
  }

  /** Takes note of a secret that is looked up. @returns it */
  known<Value extends string | undefined>(value: Value): Value {
    this.add(value);
    return value;
  }

  /** Ignores empty ones. Values beyond the maximal number are not found. */
  add(...values: readonly (string | undefined)[]): void {
    for (const value of values) {
      if (value === undefined || value === '' || this.#known.has(value)) continue;
      if (this.#known.size >= MOST_KNOWN) return;
      this.#known.add(value);
      this.#current = undefined;
      this.#clean = [];
    }
  }

  /**
   * Takes note of what a command can print, before it begins.
   *
   * @returns false if there is no room for all of it: then nothing of it is known, and it must not be shown
   */
  learn(values: readonly string[]): boolean {
    const fresh = values.filter((value) => !this.#known.has(value) && !this.#ofFiles.has(value));
    if (this.#ofFiles.size + fresh.length > MOST_OF_FILES) return false;
    if (fresh.length === 0) return true;
    for (const value of fresh) this.#ofFiles.add(value);
    this.#current = undefined;
    this.#clean = [];
    return true;
  }

  /** Begins with the first text: what is learned between a call and its first output is known to it. */
  redactor(): Redactor {
    let begun: Redaction | undefined;
    const begin = (): Redactor => {
      begun = this.#now();
      return begun.redactor();
    };
    return new ComparingRedactor(begin, (text) => {
      if (begun === this.#current) this.#remember(text);
    });
  }

  redact(text: string): string {
    const current = this.#now();
    if (text.length < LONG_TEXT) return current.redact(text);
    if (this.#clean.includes(text)) return text;
    const out = current.redact(text);
    if (out === text) this.#remember(text);
    return out;
  }

  #remember(text: string): void {
    if (text.length < LONG_TEXT || text.length > LONGEST_CLEAN || this.#clean.includes(text)) return;
    this.#clean = [...this.#clean.slice(1 - MOST_CLEAN), text];
  }

  #now(): Redaction {
    this.#look();
    this.#current ??= this.#make([...new Set([...this.#known, ...this.#ofFiles])]);
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

/** Tells the whole text of a stream that came out as it went in. */
class ComparingRedactor implements Redactor {
  readonly #begin: () => Redactor;
  #begun: Redactor | undefined;
  readonly #onSame: (text: string) => void;
  /** The output so far; undefined once it differs from the input, or is too long. */
  #same: string | undefined = '';
  /** Input that was not put out yet. */
  #held = '';

  constructor(begin: () => Redactor, onSame: (text: string) => void) {
    this.#begin = begin;
    this.#onSame = onSame;
  }

  get #redactor(): Redactor {
    this.#begun ??= this.#begin();
    return this.#begun;
  }

  push(chunk: string): string {
    const out = this.#redactor.push(chunk);
    if (this.#same !== undefined) this.#held += chunk;
    this.#compare(out);
    return out;
  }

  rest(): string {
    return this.#redactor.rest();
  }

  end(): string {
    const out = this.#redactor.end();
    this.#compare(out);
    if (this.#same !== undefined && this.#held === '') this.#onSame(this.#same);
    this.#same = undefined;
    return out;
  }

  #compare(out: string): void {
    if (this.#same === undefined) return;
    if (this.#held.startsWith(out) && this.#same.length <= LONGEST_CLEAN) {
      this.#same += out;
      this.#held = this.#held.slice(out.length);
      return;
    }
    this.#same = undefined;
    this.#held = '';
  }
}
