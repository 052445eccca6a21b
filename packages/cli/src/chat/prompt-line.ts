import { clearScreenDown, cursorTo, moveCursor } from 'node:readline';
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { InputStream, OutputStream } from '../environment.ts';
import type { Completion } from './commands/complete-command.ts';
import { EntryQueue } from './entry-queue.ts';
import { Screen } from './screen.ts';

type Completer = (line: string) => Promise<Completion>;

/** The fields of readline's key description that this module uses. */
interface Key {
  readonly name?: string;
  readonly meta?: boolean;
}

/**
 * The line at the bottom where a person types. At rest it is visible; while an answer streams it
 * appears with the first key, and the answer continues above it.
 */
export class PromptLine implements Disposable {
  readonly entries: EntryQueue;
  /** The writer of everything else. */
  readonly screen: OutputStream;
  readonly #screen: Screen;
  readonly #input: InputStream;
  readonly #output: OutputStream;
  readonly #readline: Interface;
  readonly #prompt: string;
  readonly #terminal: boolean;
  /** `away`: visible only while it holds text. */
  #mode: 'open' | 'away' = 'away';
  /** Receives the entry while a question is open. */
  #answers: EntryQueue | undefined;
  #shown = false;
  #closed = false;

  /**
   * @param options.prompt our own words, coloured or not
   * @param options.complete Tab completions of a line
   * @param options.onInterrupt Ctrl-C at the terminal
   */
  constructor(options: {
    readonly input: InputStream;
    readonly output: OutputStream;
    readonly prompt: string;
    readonly complete?: Completer;
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
      completer: (line: string) => this.#complete(line, options.complete),
    });
    this.#readline.on('line', (line) => this.#take(line));
    this.#readline.on('close', () => {
      this.#conceal();
      this.#closed = true;
      this.entries.end();
    });
    this.#readline.on('SIGINT', options.onInterrupt);
    if (this.#terminal) input.on('keypress', this.#onKey);
  }

  /** The line is visible from now on. */
  show(): void {
    if (!this.#terminal || this.#closed) return;
    this.#mode = 'open';
    this.#update();
  }

  /** The line is visible only while it holds text. */
  hide(): void {
    if (!this.#terminal || this.#mode === 'away') return;
    this.#mode = 'away';
    this.#update();
  }

  /** Text that was typed and not yet entered. */
  get draft(): string {
    return this.#readline.line;
  }

  clearDraft(): void {
    if (this.#closed || !this.#terminal) return;
    this.#readline.write(null, { ctrl: true, name: 'e' });
    this.#readline.write(null, { ctrl: true, name: 'u' });
  }

  /**
   * Asks for one entry: a line, or a pasted text. Sets a draft aside meanwhile, because it was not
   * an answer.
   * @throws the signal's reason once it fires; ended input gives no answer before that
   */
  async ask(question: string, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const draft = this.#closed ? '' : this.draft;
    this.#conceal();
    this.clearDraft();
    const answers = new EntryQueue(this.#terminal);
    this.#readline.setPrompt(question);
    if (!this.#closed) this.#reveal();
    this.#answers = answers;
    try {
      return await firstEntry(answers, signal);
    } finally {
      // An answer ends with a new line. A withdrawn question disappears; otherwise the person would
      // type a key for it that the model receives.
      if (this.#shown) {
        if (!/\s/.test(this.draft)) this.clearDraft();
        this.#conceal();
      }
      this.#atRest();
      this.#answers = undefined;
      answers.end();
      this.#readline.setPrompt(this.#prompt);
      this.#addToDraft(draft);
    }
  }

  /**
   * Keeps a text that was entered as an answer but isn't one: a command or a pasted text becomes an
   * entry, a line goes to the draft if possible.
   * @returns its new place
   */
  keep(text: string): 'entered' | 'draft' {
    if (!this.#terminal || text.includes('\n') || text.trimStart().startsWith('/')) {
      this.entries.line(text);
      return 'entered';
    }
    this.#addToDraft(text);
    return 'draft';
  }

  [Symbol.dispose](): void {
    this.#input.off('keypress', this.#onKey);
    this.#readline.close();
  }

  /** Answers to a question have no completion. */
  async #complete(line: string, complete?: Completer): Promise<Completion> {
    const found = this.#answers === undefined ? await complete?.(line) : undefined;
    return this.#answers === undefined && found !== undefined ? found : [[], line];
  }

  #take(line: string): void {
    if (this.#answers === undefined) {
      this.entries.line(line);
    } else {
      this.#atRest();
      this.#answers.line(line);
    }
  }

  /** The line is hidden, and the cursor is at the start of an empty line. */
  #atRest(): void {
    this.#shown = false;
    this.#screen.close();
  }

  #addToDraft(text: string): void {
    if (this.#closed || !this.#terminal) return;
    if (text !== '') this.#readline.write(this.draft === '' ? text : ` ${text}`);
    this.#update();
  }

  /** Readline draws at every key; a hidden line must show nothing. */
  #gate(): OutputStream {
    const gate = new Writable({
      write: (chunk, _encoding, done) => {
        if (this.#shown || !this.#terminal) this.#output.write(chunk);
        done();
      },
    });
    return Object.defineProperty(gate, 'columns', { get: () => this.#output.columns });
  }

  /** Runs after readline has handled the key. */
  readonly #onKey = (_text: string | undefined, key: Key | undefined): void => {
    if (this.#closed || this.#answers !== undefined) return;
    const enter = key?.name === 'return' || key?.name === 'enter';
    if (key?.meta === true && enter) this.#queueDraft();
    if (this.#mode === 'away') this.#update();
  };

  /** Alt-Enter: as `/queue`, with an echo, since readline does not treat it as an entry. */
  #queueDraft(): void {
    const { draft } = this;
    if (draft.trim() === '') return;
    this.clearDraft();
    this.screen.write(`${this.#prompt}${draft}\n`);
    this.entries.line(`/queue ${draft}`);
  }

  #update(): void {
    if (this.#closed || this.#answers !== undefined) return;
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
    this.#atRest();
  }

  #erase(): void {
    if (!this.#shown) return;
    moveCursor(this.#output, 0, -this.#readline.getCursorPos().rows);
    cursorTo(this.#output, 0);
    clearScreenDown(this.#output);
  }

  /** Readline starts drawing as many rows up as its cursor was below the line's start. */
  #draw(): void {
    this.#output.write('\n'.repeat(this.#readline.getCursorPos().rows));
    this.#readline.prompt(true);
  }
}

async function firstEntry(entries: EntryQueue, signal: AbortSignal): Promise<string> {
  const withdrawn = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const next = await Promise.race([entries[Symbol.asyncIterator]().next(), withdrawn]);
  return next.done === true ? withdrawn : next.value;
}
