import type { EventEmitter } from 'node:events';
import type { Terminal } from '@earendil-works/pi-tui';
import { asciiText } from './ascii-text.ts';
import { PASTE_END, PASTE_START, PasteGate } from './paste-gate.ts';

/** A line that the terminal takes for wider than we do must not push the lines below it down. */
const NO_WRAP = '\x1b[?7l';
const WRAP = '\x1b[?7h';

/** How pastes are taken out of what a terminal sends. */
export interface PasteOptions {
  readonly input: Pick<EventEmitter, 'listeners' | 'removeAllListeners' | 'off' | 'on'>;
  /** Longest paste that is taken, characters. */
  readonly most: number;
  readonly onTooLong: (characters: number) => void;
}

/** The terminal as this program uses it: no wrapping, no title, and nothing but ASCII where that is asked for. */
export class OwnTerminal implements Terminal {
  readonly #terminal: Terminal;
  readonly #ascii: boolean;
  readonly #pastes: PasteOptions | undefined;
  #unlisten: (() => void) | undefined;

  /** @param pastes where the terminal's own input comes from, to take pastes out of it; absent where it brings them whole */
  constructor(terminal: Terminal, ascii: boolean, pastes?: PasteOptions) {
    this.#terminal = terminal;
    this.#ascii = ascii;
    this.#pastes = pastes;
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
    if (this.#pastes !== undefined) this.#takePastes(this.#pastes, onInput);
  }

  stop(): void {
    this.#unlisten?.();
    this.#unlisten = undefined;
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

  /** Stands between the input and the library, which alone listens to it: that gets keys only. */
  #takePastes({ input, most, onTooLong }: PasteOptions, onInput: (data: string) => void): void {
    const listeners = input.listeners('data');
    input.removeAllListeners('data');
    const gate = new PasteGate({
      most,
      onKeys: (data) => {
        for (const one of listeners) Reflect.apply(one, input, [data]);
      },
      onPaste: (text) => onInput(PASTE_START + text + PASTE_END),
      onTooLong,
    });
    const take = (data: unknown) => gate.take(String(data));
    input.on('data', take);
    this.#unlisten = () => input.off('data', take);
  }
}
