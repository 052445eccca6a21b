/** Redacts secrets in a text that comes in chunks. */
export interface Redactor {
  /** @returns the new part of the text that is certain so far */
  push(chunk: string): string;
  /**
   * @returns up to five characters that `push` still holds back and that begin no secret of enough
   * characters to matter, for a reader who waits; the next `push` returns them as well
   */
  rest(): string;
  /** @returns the rest, now that the text has ended */
  end(): string;
}

/** Redacts secrets in text: `[redacted:KIND]` replaces each [A7]. */
export interface Redaction {
  /**
   * A redactor for one stream. Its joined output equals `redact` of the joined chunks, for any
   * chunk boundaries.
   */
  redactor(): Redactor;
  redact(text: string): string;
}
