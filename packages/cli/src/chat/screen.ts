import { Writable } from 'node:stream';
import type { OutputStream } from '../environment.ts';

/** The line at the bottom that a person types in. */
export interface BottomLine {
  /** Leaves the cursor at the start of an empty line. */
  erase(): void;
  /** Draws the line where the cursor is, at the start of a line. */
  draw(): void;
}

/**
 * A terminal whose last line may be in use. Then everything else appears above it in whole lines;
 * an incomplete line waits for its end.
 */
export class Screen {
  /** The writer of everything except the bottom line. */
  readonly stream: OutputStream;
  readonly #output: OutputStream;
  readonly #line: BottomLine;
  #open = false;
  #held = '';
  #atLineStart = true;
  /** True if the screen ended a line that its writer considers open. */
  #ended = false;

  constructor(output: OutputStream, line: BottomLine) {
    this.#output = output;
    this.#line = line;
    const writable = new Writable({
      decodeStrings: false,
      write: (chunk, _encoding, done) => {
        this.#write(String(chunk));
        done();
      },
    });
    output.on('error', (error) => writable.destroy(error));
    this.stream = Object.defineProperties(writable, {
      isTTY: { get: () => output.isTTY },
      columns: { get: () => output.columns },
    });
  }

  /** The bottom line comes into use, on a line of its own. */
  open(): void {
    if (this.#open) return;
    if (!this.#atLineStart) {
      this.#put('\n');
      this.#ended = true;
    }
    this.#open = true;
  }

  /** The bottom line is hidden, and the cursor is at the start of an empty line. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    const held = this.#held;
    this.#held = '';
    this.#put(held);
  }

  #write(text: string): void {
    const wanted = this.#ended && text.startsWith('\n') ? text.slice(1) : text;
    this.#ended = false;
    if (this.#open) this.#above(wanted);
    else this.#put(wanted);
  }

  #above(text: string): void {
    this.#held += text;
    const end = this.#held.lastIndexOf('\n') + 1;
    if (end === 0) return;
    const lines = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    this.#line.erase();
    this.#put(lines);
    this.#line.draw();
  }

  #put(text: string): void {
    if (text === '') return;
    this.#output.write(text);
    this.#atLineStart = text.endsWith('\n');
  }
}
