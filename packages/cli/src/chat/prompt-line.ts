import { clearScreenDown, cursorTo, moveCursor } from 'node:readline';
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { InputStream, OutputStream } from '../environment.ts';
import { EntryQueue } from './entry-queue.ts';
import { Screen } from './screen.ts';

/** What readline's terminals say of a key, as far as it is used here. */
interface Key {
  readonly name?: string;
  readonly meta?: boolean;
}

/**
 * The line at the bottom where a person types. At rest it is there; while an answer streams it appears with the first
 * key, and what streams goes on above it.
 */
export class PromptLine implements Disposable {
  readonly entries: EntryQueue;
  /** Where everything else is written. */
  readonly screen: OutputStream;
  readonly #screen: Screen;
  readonly #input: InputStream;
  readonly #output: OutputStream;
  readonly #readline: Interface;
  readonly #prompt: string;
  readonly #terminal: boolean;
  /** `away`: there only while something is typed. */
  #mode: 'open' | 'away' | 'asking' = 'away';
  #shown = false;
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
    this.#prompt = options.prompt;
    this.#input = input;
    this.#output = output;
    this.#screen = new Screen(output, { erase: () => this.#erase(), draw: () => this.#draw() });
    this.screen = this.#screen.stream;
    this.entries = new EntryQueue(this.#terminal);
    this.#readline = createInterface({
      input,
      output: this.#gate(),
      terminal: this.#terminal,
      prompt: options.prompt,
      historySize: 500,
    });
    this.#readline.on('line', (line) => this.entries.line(line));
    this.#readline.on('close', () => {
      this.#conceal();
      this.#closed = true;
      this.entries.end();
    });
    this.#readline.on('SIGINT', options.onInterrupt);
    if (this.#terminal) input.on('keypress', this.#onKey);
  }

  /** The line is there from now on. */
  show(): void {
    if (!this.#terminal || this.#closed) return;
    this.#mode = 'open';
    this.#update();
  }

  /** The line is there only while something is typed. */
  hide(): void {
    if (!this.#terminal || this.#mode === 'away') return;
    this.#mode = 'away';
    this.#update();
  }

  /** What was typed and not yet entered. */
  get draft(): string {
    return this.#readline.line;
  }

  clearDraft(): void {
    if (this.#closed) return;
    this.#readline.write(null, { ctrl: true, name: 'e' });
    this.#readline.write(null, { ctrl: true, name: 'u' });
  }

  /** Asks for one line. A draft is put aside meanwhile: it was not meant as an answer. */
  async ask(question: string, signal: AbortSignal): Promise<string> {
    if (this.#closed) return '';
    const draft = this.draft;
    this.#conceal();
    this.clearDraft();
    this.#mode = 'asking';
    if (this.#terminal) this.#screen.open();
    this.#shown = true;
    let answered = false;
    try {
      const answer = await this.#readline.question(question, { signal });
      answered = true;
      return answer;
    } finally {
      // An answer was ended by its new line; a question that is withdrawn leaves its line open.
      if (!answered) this.#output.write('\n');
      this.#shown = false;
      this.#screen.close();
      if (draft !== '' && !this.#closed) this.#readline.write(draft);
      this.hide();
    }
  }

  [Symbol.dispose](): void {
    this.#input.off('keypress', this.#onKey);
    this.#readline.close();
  }

  /** Readline draws at every key; nothing of it may appear while the line is not there. */
  #gate(): OutputStream {
    const gate = new Writable({
      write: (chunk, _encoding, done) => {
        if (this.#shown || !this.#terminal) this.#output.write(chunk);
        done();
      },
    });
    return Object.defineProperty(gate, 'columns', { get: () => this.#output.columns });
  }

  /** After readline has seen the key. */
  readonly #onKey = (_text: string | undefined, key: Key | undefined): void => {
    if (this.#closed || this.#mode === 'asking') return;
    const enter = key?.name === 'return' || key?.name === 'enter';
    if (key?.meta === true && enter) this.#queueDraft();
    if (this.#mode === 'away') this.#update();
  };

  /** Alt-Enter: as `/queue`, and echoed, since readline takes it for no entry. */
  #queueDraft(): void {
    const { draft } = this;
    if (draft.trim() === '') return;
    this.clearDraft();
    this.screen.write(`${this.#prompt}${draft}\n`);
    this.entries.line(`/queue ${draft}`);
  }

  #update(): void {
    if (this.#closed || this.#mode === 'asking') return;
    if (this.#mode === 'open' || this.draft !== '') this.#reveal();
    else this.#conceal();
  }

  #reveal(): void {
    this.#screen.open();
    if (this.#shown) {
      this.#readline.prompt(true);
    } else {
      this.#shown = true;
      this.#draw();
    }
  }

  #conceal(): void {
    if (!this.#shown) return;
    this.#erase();
    this.#shown = false;
    this.#screen.close();
  }

  #erase(): void {
    if (!this.#shown) return;
    moveCursor(this.#output, 0, -this.#readline.getCursorPos().rows);
    cursorTo(this.#output, 0);
    clearScreenDown(this.#output);
  }

  /** Readline draws from as many rows up as its cursor stood below the line's start. */
  #draw(): void {
    this.#output.write('\n'.repeat(this.#readline.getCursorPos().rows));
    this.#readline.prompt(true);
  }
}
