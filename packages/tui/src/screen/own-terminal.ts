import type { Terminal } from '@earendil-works/pi-tui';
import { asciiText } from './ascii-text.ts';

/** A line that the terminal takes for wider than we do must not push the lines below it down. */
const NO_WRAP = '\x1b[?7l';
const WRAP = '\x1b[?7h';

/** The terminal as this program uses it: no wrapping, no title, and nothing but ASCII where that is asked for. */
export class OwnTerminal implements Terminal {
  readonly #terminal: Terminal;
  readonly #ascii: boolean;

  constructor(terminal: Terminal, ascii: boolean) {
    this.#terminal = terminal;
    this.#ascii = ascii;
  }

  get columns(): number {
    return this.#terminal.columns;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  get kittyProtocolActive(): boolean {
    return this.#terminal.kittyProtocolActive;
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    this.#terminal.start(onInput, onResize);
    this.#terminal.write(NO_WRAP);
  }

  stop(): void {
    this.#terminal.write(WRAP);
    this.#terminal.stop();
  }

  drainInput(maxMs?: number, idleMs?: number): Promise<void> {
    return this.#terminal.drainInput(maxMs, idleMs);
  }

  write(data: string): void {
    this.#terminal.write(this.#ascii ? asciiText(data) : data);
  }

  moveBy(lines: number): void {
    this.#terminal.moveBy(lines);
  }

  hideCursor(): void {
    this.#terminal.hideCursor();
  }

  showCursor(): void {
    this.#terminal.showCursor();
  }

  clearLine(): void {
    this.#terminal.clearLine();
  }

  clearFromCursor(): void {
    this.#terminal.clearFromCursor();
  }

  clearScreen(): void {
    this.#terminal.clearScreen();
  }

  /** The title of the window stays the person's own. */
  setTitle(): void {}

  setProgress(): void {}
}
