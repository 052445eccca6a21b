import type { Terminal } from '@earendil-works/pi-tui';
import headless from '@xterm/headless';

/** A terminal in memory that draws as a real one would. */
export class VirtualTerminal implements Terminal {
  readonly kittyProtocolActive = false;
  /** All raw output. */
  written = '';
  /** The terminal's own replies, and commands to it beside drawing. */
  readonly noticed: string[] = [];
  readonly #xterm: InstanceType<typeof headless.Terminal>;
  #onInput: ((data: string) => void) | undefined;
  #onResize: (() => void) | undefined;

  constructor(columns = 80, rows = 24) {
    this.#xterm = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 10_000 });
    this.#xterm.onData((data) => this.noticed.push(`answered ${JSON.stringify(data)}`));
    this.#xterm.onTitleChange((title) => this.noticed.push(`title ${title}`));
    this.#xterm.onBell(() => this.noticed.push('bell'));
    for (const code of [0, 1, 2, 7, 8, 9, 52, 133, 777, 1337]) {
      this.#xterm.parser.registerOscHandler(code, (data) => {
        if (code !== 8 || data !== ';') this.noticed.push(`osc ${code} ${data}`);
        return true;
      });
    }
    this.#xterm.parser.registerDcsHandler({ final: 'q' }, () => this.#notice('dcs'));
    this.#xterm.parser.registerEscHandler({ final: 'c' }, () => this.#notice('reset'));
  }

  get columns(): number {
    return this.#xterm.cols;
  }

  get rows(): number {
    return this.#xterm.rows;
  }

  /** The cursor, and the state for the next output. */
  get state(): string {
    const { active } = this.#xterm.buffer;
    return JSON.stringify({
      x: active.cursorX,
      y: active.cursorY,
      type: active.type,
      modes: this.#xterm.modes,
    });
  }

  /** Resolves once all output is drawn. */
  drawn(): Promise<void> {
    return new Promise((resolve) => this.#xterm.write('', resolve));
  }

  /** Visible lines. */
  get lines(): readonly string[] {
    const { active } = this.#xterm.buffer;
    return Array.from({ length: this.rows }, (_, row) => this.#line(active.viewportY + row));
  }

  get text(): string {
    return this.lines.join('\n').trimEnd();
  }

  /** Also lines scrolled away. */
  get everything(): string {
    const { active } = this.#xterm.buffer;
    return Array.from({ length: active.length }, (_, row) => this.#line(row))
      .join('\n')
      .trimEnd();
  }

  /** Every visible cell, with its colours. */
  get cells(): readonly (readonly Cell[])[] {
    const { active } = this.#xterm.buffer;
    return Array.from({ length: this.rows }, (_, row) => {
      const line = active.getLine(active.viewportY + row);
      return Array.from({ length: this.columns }, (_cell, column): Cell => {
        const cell = line?.getCell(column);
        return {
          text: cell?.getChars() || ' ',
          width: cell?.getWidth() ?? 1,
          colour: cell?.isFgPalette() ? cell.getFgColor() : undefined,
          bold: (cell?.isBold() ?? 0) !== 0,
          italic: (cell?.isItalic() ?? 0) !== 0,
          underline: (cell?.isUnderline() ?? 0) !== 0,
          inverse: (cell?.isInverse() ?? 0) !== 0,
        };
      });
    });
  }

  /** A sequence as one key, or else character by character. */
  type(keys: string): void {
    const pressed = keys.startsWith('\x1b') ? [keys] : [...keys];
    for (const key of pressed) this.#onInput?.(key);
  }

  paste(text: string): void {
    this.#onInput?.(`\x1b[200~${text}\x1b[201~`);
  }

  resize(columns: number, rows: number): void {
    this.#xterm.resize(columns, rows);
    this.#onResize?.();
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    this.#onInput = onInput;
    this.#onResize = onResize;
  }

  stop(): void {
    this.#onInput = undefined;
  }

  async drainInput(): Promise<void> {}

  write(data: string): void {
    this.written += data;
    this.#xterm.write(data);
  }

  moveBy(lines: number): void {
    if (lines !== 0) this.write(lines > 0 ? `\x1b[${lines}B` : `\x1b[${-lines}A`);
  }

  hideCursor(): void {
    this.write('\x1b[?25l');
  }

  showCursor(): void {
    this.write('\x1b[?25h');
  }

  clearLine(): void {
    this.write('\x1b[K');
  }

  clearFromCursor(): void {
    this.write('\x1b[J');
  }

  clearScreen(): void {
    this.write('\x1b[2J\x1b[H');
  }

  setTitle(title: string): void {
    this.write(`\x1b]0;${title}\x07`);
  }

  setProgress(): void {}

  #line(row: number): string {
    return this.#xterm.buffer.active.getLine(row)?.translateToString(true) ?? '';
  }

  #notice(what: string): boolean {
    this.noticed.push(what);
    return true;
  }
}

/** One cell of the screen. */
export interface Cell {
  readonly text: string;
  /** 0 for the second half of a wide character. */
  readonly width: number;
  /** Index in the 256-colour palette; undefined for the terminal's own colour. */
  readonly colour: number | undefined;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly inverse: boolean;
}
