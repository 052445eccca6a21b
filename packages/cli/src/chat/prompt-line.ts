import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { InputStream, OutputStream } from '../environment.ts';
import { EntryQueue } from './entry-queue.ts';

/**
 * The line at the bottom where a person types. While an answer streams it is hidden: what is typed then is
 * kept, and shown again with the prompt.
 */
export class PromptLine implements Disposable {
  readonly entries: EntryQueue;
  readonly #readline: Interface;
  readonly #terminal: boolean;
  #shown = true;
  #closed = false;

  /**
   * @param options.prompt our own words, coloured or not
   * @param options.onInterrupt Ctrl-C at the terminal
   */
  constructor(options: {
    readonly input: InputStream;
    readonly output: OutputStream;
    readonly prompt: string;
    readonly onInterrupt: () => void;
  }) {
    const { input, output } = options;
    this.#terminal = input.isTTY === true && output.isTTY === true;
    this.entries = new EntryQueue(this.#terminal);
    const gate = new Writable({
      write: (chunk, _encoding, done) => {
        if (this.#shown) output.write(chunk);
        done();
      },
    });
    const screen = Object.defineProperty(gate, 'columns', { get: () => output.columns });
    this.#readline = createInterface({
      input,
      output: screen,
      terminal: this.#terminal,
      prompt: options.prompt,
      historySize: 500,
    });
    this.#readline.on('line', (line) => this.entries.line(line));
    this.#readline.on('close', () => {
      this.#closed = true;
      this.entries.end();
    });
    this.#readline.on('SIGINT', options.onInterrupt);
  }

  show(): void {
    if (!this.#terminal || this.#closed) return;
    this.#shown = true;
    this.#readline.prompt(true);
  }

  hide(): void {
    if (this.#terminal) this.#shown = false;
  }

  /** What was typed and not yet entered. */
  get draft(): string {
    return this.#readline.line;
  }

  clearDraft(): void {
    this.#readline.write(null, { ctrl: true, name: 'e' });
    this.#readline.write(null, { ctrl: true, name: 'u' });
  }

  /** Asks for one line. A draft is put aside meanwhile: it was not meant as an answer. */
  async ask(question: string, signal: AbortSignal): Promise<string> {
    if (this.#closed) return '';
    const draft = this.draft;
    this.hide();
    this.clearDraft();
    this.#shown = true;
    try {
      return await this.#readline.question(question, { signal });
    } finally {
      this.hide();
      if (draft !== '' && !this.#closed) this.#readline.write(draft);
    }
  }

  [Symbol.dispose](): void {
    this.#readline.close();
  }
}
