import type { Redaction, Redactor } from '@bulkhead/protocol';

type Kind = 'text' | 'thinking';

/** The deltas of one answer without secrets: text and thinking each as one stream. */
export class AnswerStream {
  readonly #streams: Readonly<Record<Kind, Redactor>>;
  readonly #send: (kind: Kind, text: string) => void;

  /** @param send is given what is certain, never empty */
  constructor(redaction: Redaction, send: (kind: Kind, text: string) => void) {
    this.#streams = { text: redaction.redactor(), thinking: redaction.redactor() };
    this.#send = send;
  }

  push(kind: Kind, text: string): void {
    this.#pass(kind, this.#streams[kind].push(text));
  }

  /** Sends what was held back. */
  end(): void {
    this.#pass('thinking', this.#streams.thinking.end());
    this.#pass('text', this.#streams.text.end());
  }

  #pass(kind: Kind, text: string): void {
    if (text !== '') this.#send(kind, text);
  }
}
