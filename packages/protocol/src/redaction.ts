/** Takes secrets out of a text that comes in chunks. */
export interface Redactor {
  /** @returns what of the text so far is certain, and was not returned before */
  push(chunk: string): string;
  /** @returns the rest, now that nothing follows */
  end(): string;
}

/** Takes secrets out of text: `[redacted:KIND]` stands in the place of each [A7]. */
export interface Redaction {
  /** A stream of its own. What it returns, joined, is `redact` of its chunks joined, however they were cut. */
  redactor(): Redactor;
  redact(text: string): string;
}
