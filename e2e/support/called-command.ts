import { realpathSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { dispatch } from '@bulkhead/cli';
import { createIdSource, systemClock } from '@bulkhead/protocol';
import { type CliResult, cliResult } from './cli-process.ts';

const DIST = new URL('../../dist/', import.meta.url);

/** As the `bulkhead` script at the root sets it. */
const COMPILE_CACHE = new URL('.compile-cache', DIST).pathname;

const ENTRIES = {
  supervisor: new URL('supervisor.js', DIST),
  engine: new URL('engine.js', DIST),
  acp: new URL('acp.js', DIST),
};

/**
 * Runs a command line in this process, from where the command's own entry would hand it over. A process of its own
 * takes a third of a second of the processors.
 *
 * @param args the arguments after `bulkhead`
 * @param options `env` is all that the command knows of an environment
 * @throws Error if it doesn't end in `timeoutMs` milliseconds
 */
export async function callCommand(
  args: readonly string[],
  options: {
    readonly env: Readonly<Record<string, string>>;
    readonly cwd: string;
    readonly stdin?: string;
    readonly timeoutMs: number;
  },
): Promise<CliResult> {
  const stdout = new CollectedText();
  const stderr = new CollectedText();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timeout = setTimeout(
    () => reject(new Error(`bulkhead ${args.join(' ')} did not end:\n${stdout.text}${stderr.text}`)),
    options.timeoutMs,
  );
  try {
    const ended = dispatch(args, {
      env: { ...options.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
      cwd: realpathSync(options.cwd),
      stdin: Readable.from(options.stdin === undefined ? [] : [options.stdin]),
      stdout,
      stderr,
      clock: systemClock,
      newId: createIdSource(systemClock.now),
      onInterrupt: () => ({ [Symbol.dispose]: () => undefined }),
      entries: ENTRIES,
    });
    const code = await Promise.race([ended, late]);
    return cliResult(code, stdout.text, stderr.text);
  } finally {
    clearTimeout(timeout);
  }
}

class CollectedText extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
