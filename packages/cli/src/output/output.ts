import { inertLine, inertText } from '@bulkhead/protocol';
import type { OutputStream } from '../environment.ts';

/**
 * One of the two output streams. Our own words go through `own`, all text from a model, a tool or a
 * file through `content` or `safe`: those sanitize it on a terminal and keep it unchanged
 * elsewhere.
 */
export class Output {
  readonly isTerminal: boolean;
  readonly palette: Palette;
  /** Fires when the reader has closed the stream. */
  readonly gone: AbortSignal;
  readonly #stream: OutputStream;
  /** The first half of a character outside the basic plane, waiting for its second. */
  #half = '';
  #atLineStart = true;

  constructor(stream: OutputStream, env: Readonly<Record<string, string | undefined>>) {
    this.#stream = stream;
    this.isTerminal = stream.isTTY === true;
    this.palette = createPalette(wantsColour(stream, env));
    const gone = new AbortController();
    this.gone = gone.signal;
    stream.on('error', () => gone.abort());
  }

  own(text: string): void {
    if (text === '' || this.gone.aborted) return;
    this.#atLineStart = text.endsWith('\n');
    this.#stream.write(text);
  }

  content(text: string): void {
    const whole = this.#half + text;
    this.#half = /[\ud800-\udbff]$/.test(whole) ? whole.slice(-1) : '';
    this.own(this.safe(this.#half === '' ? whole : whole.slice(0, -1)));
  }

  /** For a piece of foreign text inside a line of ours. */
  safe(text: string): string {
    return this.isTerminal ? inertText(text) : text;
  }

  /** For a piece of foreign text that must stay on one line: a title, a snippet, a name. */
  safeLine(text: string): string {
    return this.isTerminal ? inertLine(text) : text.replaceAll(/\s*[\n\r\t]\s*/g, ' ');
  }

  line(text: string): void {
    this.freshLine();
    this.own(`${text}\n`);
  }

  /** Starts a new line unless the current one is empty. */
  freshLine(): void {
    if (!this.#atLineStart) this.own('\n');
  }
}

/** Colours for our own words; identity without colours. */
interface Palette {
  dim(text: string): string;
  bold(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** @see https://no-color.org for `NO_COLOR` */
export function wantsColour(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const refused = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  return stream.isTTY === true && !refused && env['TERM'] !== 'dumb';
}

export function createPalette(coloured: boolean): Palette {
  const paint = (open: number, close: number) => (text: string) =>
    coloured ? `\x1b[${open}m${text}\x1b[${close}m` : text;
  return {
    dim: paint(2, 22),
    bold: paint(1, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}
