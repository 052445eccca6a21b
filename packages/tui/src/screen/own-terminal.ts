import type { EventEmitter } from 'node:events';
import type { Terminal } from '@earendil-works/pi-tui';
import { visibleWidth } from '../library/first-parts.ts';
import { PASTE_END, PASTE_START, PasteGate } from './paste-gate.ts';

/** If the terminal considers a line wider than we do, the lines below must not move down. */
const NO_WRAP = '\x1b[?7l';
const WRAP = '\x1b[?7h';

/** Extracts pastes from the terminal's input. */
export interface PasteOptions {
  readonly input: Pick<EventEmitter, 'listeners' | 'removeAllListeners' | 'off' | 'on'>;
  /** Longest accepted paste, characters. */
  readonly most: number;
  readonly onTooLong: (characters: number) => void;
}

/** The terminal as this program uses it: no wrapping, no title, and only ASCII if requested. */
export class OwnTerminal implements Terminal {
  readonly #terminal: Terminal;
  readonly #ascii: boolean;
  readonly #pastes: PasteOptions | undefined;
  #unlisten: (() => void) | undefined;

  /** @param pastes the terminal's own input, to extract pastes; absent if it delivers them whole */
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

  /** The program does not change the window's title. */
  setTitle(): void {}

  setProgress(): void {}

  /** Stands between the input and the library, so the library receives only keys. */
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

/**
 * Replacements in ASCII for our and our library's drawing characters; each has the width of its
 * original.
 */
const LIKE: Readonly<Record<string, string>> = {
  '─': '-',
  '│': '|',
  '└': '`',
  '┌': '+',
  '┐': '+',
  '┘': '+',
  '├': '+',
  '┤': '+',
  '┬': '+',
  '┴': '+',
  '┼': '+',
  '▸': '>',
  '▾': 'v',
  '›': '>',
  '→': '>',
  '←': '<',
  '↑': '^',
  '↓': 'v',
  '↳': '>',
  '•': '*',
  '·': '-',
  '●': '*',
  '○': 'o',
  '✓': '+',
  '✗': 'x',
  '⊘': 'x',
  '…': '.',
  '█': '#',
  '░': '.',
  '–': '-',
  '—': '-',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
};

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Converts output for a terminal without UTF-8, which could read bytes above 127 as control
 * characters. Our own sequences are plain ASCII and stay. A character without a replacement becomes
 * a question mark per column.
 */
function asciiText(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text;
  let result = '';
  for (const { segment } of segmenter.segment(text)) {
    result += /^[\0-\x7f]+$/.test(segment) ? segment : (LIKE[segment] ?? '?'.repeat(visibleWidth(segment)));
  }
  return result;
}
