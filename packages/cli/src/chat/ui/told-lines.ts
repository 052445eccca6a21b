import { Writable } from 'node:stream';
import { Output } from '../../output/output.ts';

/** Lines within this time appear together, milliseconds. */
const TOGETHER_MS = 40;

/** A simulated terminal: a command's output reaches the screen in whole lines. */
export class ToldLines implements Disposable {
  /** For an `Output`, which makes foreign text harmless as on any terminal. */
  readonly stream: Writable & { readonly isTTY: true };
  readonly #tell: (text: string) => void;
  #text = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (text: string) => void) {
    this.#tell = tell;
    const stream = new Writable({
      decodeStrings: false,
      write: (chunk, _encoding, done) => {
        this.#add(String(chunk));
        done();
      },
    });
    this.stream = Object.assign(stream, { isTTY: true } as const);
  }

  /** Shows the rest. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#text.replace(/\n+$/, '');
    this.#text = '';
    if (text !== '') this.#tell(text);
  }

  #add(text: string): void {
    this.#text += text;
    this.#timer ??= setTimeout(() => this[Symbol.dispose](), TOGETHER_MS);
  }
}

/** For printers of lines: no colours, because the screen has its own. */
export function plainOutput({ stream }: ToldLines): Output {
  return new Output(stream, { NO_COLOR: '1' });
}

/** Collects output as one text. */
export function printed(print: (output: Output) => void): string {
  const pieces: string[] = [];
  {
    using told = new ToldLines((text) => pieces.push(text));
    print(plainOutput(told));
  }
  return pieces.join('\n');
}
