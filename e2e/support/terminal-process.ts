import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type IPty, spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { until } from './until.ts';

/** The command of this checkout. */
export const COMMAND = fileURLToPath(new URL('../../bulkhead', import.meta.url));

/** The output of a program may arrive after its end did, milliseconds. */
const LAST_WORDS_MS = 100;

/** Keys as terminals send them. */
export const KEY = {
  enter: '\r',
  escape: '\x1b',
  altEnter: '\x1b\r',
  altUp: '\x1b[1;3A',
  up: '\x1b[A',
  down: '\x1b[B',
  tab: '\t',
  ctrlC: '\x03',
  ctrlD: '\x04',
  ctrlF: '\x06',
  ctrlL: '\x0c',
  ctrlO: '\x0f',
  ctrlR: '\x12',
  ctrlT: '\x14',
  ctrlZ: '\x1a',
} as const;

/** The command on a terminal: a real pseudoterminal, and a program that draws what comes out of it. */
export class TerminalProcess implements AsyncDisposable {
  /** Milliseconds from the start to the first byte on the screen. */
  firstPaintMs: number | undefined;
  /** All that was written, as it came. */
  written = '';
  readonly #pty: IPty;
  readonly #screen: InstanceType<typeof headless.Terminal>;
  readonly #ended: Promise<number>;
  #code: number | undefined;

  constructor(
    args: readonly string[],
    options: {
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      readonly columns?: number;
      readonly rows?: number;
      /** Another program than the command of this checkout. */
      readonly program?: string;
    },
  ) {
    const { cwd, env, columns: cols = 80, rows = 24, program = COMMAND } = options;
    const started = performance.now();
    this.#screen = new headless.Terminal({ cols, rows, allowProposedApi: true, scrollback: 5_000 });
    this.#pty = spawn(program, [...args], {
      name: env['TERM'] ?? 'xterm-256color',
      cols,
      rows,
      cwd,
      env: { ...env },
    });
    this.#pty.onData((data) => {
      this.firstPaintMs ??= data.includes('\x1b[?2026l') ? performance.now() - started : undefined;
      this.written += data;
      this.#screen.write(data);
    });
    // Sends the answers of the terminal to queries, as any real one does.
    this.#screen.onData((data) => this.#pty.write(data));
    this.#ended = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode }) => {
        this.#code = exitCode;
        resolve(exitCode);
      });
    });
  }

  /** Lines that are seen, without spaces at their ends. */
  get lines(): readonly string[] {
    const { active } = this.#screen.buffer;
    return Array.from(
      { length: this.#screen.rows },
      (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? '',
    );
  }

  /** Also what was scrolled away. */
  get everything(): string {
    const { active } = this.#screen.buffer;
    const lines = Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true) ?? '',
    );
    return lines.join('\n');
  }

  get text(): string {
    return this.lines.join('\n');
  }

  type(keys: string): void {
    this.#pty.write(keys);
  }

  /** As a terminal does with what is pasted. */
  paste(text: string): void {
    this.#pty.write(`\x1b[200~${text}\x1b[201~`);
  }

  /** The same without waiting for it: as fast as the other side takes it. */
  pasteMuch(piece: string, times: number): void {
    this.#pty.write(`\x1b[200~`);
    for (let at = 0; at < times; at += 1) this.#pty.write(piece);
    this.#pty.write(`\x1b[201~`);
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  /** Waits until something is seen. */
  async shows(what: string | RegExp, withinMs = 60_000): Promise<void> {
    const fits = () => (typeof what === 'string' ? this.text.includes(what) : what.test(this.text));
    await until(`${what} on the screen`, fits, withinMs).catch((cause: unknown) => {
      throw new Error(`${String(cause)}\n${this.text}`);
    });
  }

  async gone(what: string, withinMs = 60_000): Promise<void> {
    await until(`${what} gone`, () => !this.text.includes(what), withinMs).catch((cause: unknown) => {
      throw new Error(`${String(cause)}\n${this.text}`);
    });
  }

  /** Waits for the end, and until its last words are drawn. @returns the exit code */
  async ended(): Promise<number> {
    const code = await this.#ended;
    await sleep(LAST_WORDS_MS);
    await new Promise<void>((resolve) => this.#screen.write('', resolve));
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#code === undefined) this.#pty.kill('SIGKILL');
    await this.#ended;
    this.#screen.dispose();
  }
}
