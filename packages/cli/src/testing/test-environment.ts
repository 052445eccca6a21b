import { PassThrough } from 'node:stream';
import { createIdSource, type HomeLayout, systemClock } from '@bulkhead/protocol';
import type { Environment } from '../environment.ts';

export interface TestEnvironment extends Environment {
  readonly stdin: PassThrough & { isTTY: boolean };
  /** The output so far. */
  readonly out: () => string;
  readonly err: () => string;
  /** Acts like Ctrl-C. */
  interrupt(): void;
  /** Resolves once standard output and error together hold `text`. */
  until(text: string): Promise<void>;
}

/** An environment without a process: streams in memory, interrupts on demand. */
export function testEnvironment(
  layout: HomeLayout,
  options: {
    /** The streams that are terminals. */
    readonly terminal?: readonly ('stdin' | 'stdout' | 'stderr')[];
    readonly env?: Readonly<Record<string, string>>;
    readonly supervisor?: URL;
    readonly cwd?: string;
  } = {},
): TestEnvironment {
  const terminal = options.terminal ?? [];
  const stream = (name: 'stdin' | 'stdout' | 'stderr') =>
    Object.assign(new PassThrough(), { isTTY: terminal.includes(name), columns: 80 });
  const streams = { stdin: stream('stdin'), stdout: stream('stdout'), stderr: stream('stderr') };
  // A pipe that nothing is written to at once is an empty one.
  const { stdin } = streams;
  if (!stdin.isTTY) setImmediate(() => stdin.readableLength === 0 && !stdin.writableEnded && stdin.end());
  const written = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    streams[name].on('data', (chunk: Buffer) => {
      written[name] += chunk.toString('utf8');
      for (const check of waiting) check();
    });
  }
  const listeners = new Set<() => void>();
  const missing = new URL('file:///nowhere/missing.js');
  return {
    env: {
      BULKHEAD_HOME: layout.root,
      XDG_STATE_HOME: `${layout.root}.state`,
      NO_COLOR: '1',
      ...options.env,
    },
    cwd: options.cwd ?? process.cwd(),
    ...streams,
    clock: systemClock,
    newId: createIdSource(systemClock.now),
    entries: { supervisor: options.supervisor ?? missing, engine: missing, acp: missing },
    onInterrupt(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    out: () => written.stdout,
    err: () => written.stderr,
    interrupt() {
      for (const listener of listeners) listener();
    },
    until(text) {
      return new Promise((resolve) => {
        const check = () => {
          if (!(written.stdout + written.stderr).includes(text)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      });
    },
  };
}
