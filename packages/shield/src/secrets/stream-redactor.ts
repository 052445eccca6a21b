import type { Redactor } from '@bulkhead/protocol';
import type { AnchorAutomaton } from './anchor-automaton.ts';
import { CONTEXT, type SecretFormat } from './candidate.ts';
import { type Region, StreamScanner } from './stream-scanner.ts';

/** Most characters kept in memory after output. */
const MOST_KEPT = 1_024;
/** Characters that may be shown although they may begin a secret: no secret is so short. */
const FEW = 5;
/** Characters read before certain text is output: keeps the number of pending matches small. */
const SLICE = 1_024;

/**
 * Outputs text as soon as it is certain, with secrets replaced. Positions count from the start of
 * the stream.
 */
export class StreamRedactor implements Redactor {
  readonly #scanner: StreamScanner;
  /** The text from `#base` on. */
  #text = '';
  #base = 0;
  /** All text before it was output or hidden. */
  #done = 0;
  /** All text before it is covered by a mark that was output. */
  #covered = 0;

  constructor(automaton: AnchorAutomaton<SecretFormat>) {
    this.#scanner = new StreamScanner(automaton, (start) =>
      this.#slice(Math.max(this.#base, start - CONTEXT), start),
    );
  }

  push(chunk: string): string {
    if (chunk.length <= SLICE) return this.#push(chunk);
    let out = '';
    for (let index = 0; index < chunk.length; index += SLICE)
      out += this.#push(chunk.slice(index, index + SLICE));
    return out;
  }

  rest(): string {
    const at = this.#base + this.#text.length;
    const from = Math.max(this.#done, this.#covered);
    return at - from > FEW || this.#scanner.isUndecided ? '' : this.#slice(from, at);
  }

  end(): string {
    const at = this.#base + this.#text.length;
    this.#scanner.end(at);
    return this.#release(at);
  }

  #push(chunk: string): string {
    let at = this.#base + this.#text.length;
    this.#text += chunk;
    for (let index = 0; index < chunk.length; index += 1) {
      this.#scanner.take(chunk.charCodeAt(index), at);
      at += 1;
    }
    const certain = this.#scanner.heldFrom(at);
    // Half a surrogate pair is not output.
    const isSplit = certain === at && chunk !== '' && isHighSurrogate(chunk.charCodeAt(chunk.length - 1));
    return this.#release(isSplit ? at - 1 : certain);
  }

  #release(limit: number): string {
    let out = '';
    let place = this.#done;
    while (place < limit) {
      this.#cover();
      if (this.#covered > place) {
        place = Math.min(this.#covered, limit);
        continue;
      }
      const region = this.#next(place, limit);
      out += this.#slice(place, region?.from ?? limit);
      place = region?.from ?? limit;
      if (region === undefined) continue;
      out += `[redacted:${region.kind}]`;
      this.#covered = region.to;
    }
    this.#done = Math.max(this.#done, limit);
    this.#forget();
    return out;
  }

  /** Hides overlapping parts together, under one mark. */
  #cover(): void {
    for (let before = -1; before !== this.#covered; ) {
      before = this.#covered;
      for (const { from, to } of this.#scanner.regions) {
        if (from < this.#covered) this.#covered = Math.max(this.#covered, to);
      }
    }
  }

  /** The first region with a start between two positions; of several, the one found first. */
  #next(place: number, limit: number): Region | undefined {
    let first: Region | undefined;
    for (const region of this.#scanner.regions) {
      const isBetween = region.from >= place && region.from < limit;
      if (isBetween && (first === undefined || region.from < first.from)) first = region;
    }
    return first;
  }

  #forget(): void {
    this.#scanner.forget(this.#done);
    const kept = this.#done - CONTEXT * 2 - this.#base;
    if (kept < MOST_KEPT) return;
    this.#text = this.#text.slice(kept);
    this.#base += kept;
  }

  #slice(from: number, to: number): string {
    return this.#text.slice(from - this.#base, to - this.#base);
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
