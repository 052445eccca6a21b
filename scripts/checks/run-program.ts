import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';

const GRACE_MS = 5_000;
/**
 * Runs the arguments, then reports the processor time of them and their children on descriptor 3.
 */
const TIMED = '"$@" 3>&-; code=$?; times >&3; exit $code';

/** The result of a program. */
export interface ProgramResult {
  readonly code: number;
  /** Standard output and error in order of arrival. */
  readonly output: string;
  /** Standard output only. */
  readonly stdout: string;
  /**
   * Processor time of the program and of all its children that were waited for; 0 if it was
   * stopped.
   */
  readonly cpuSeconds: number;
}

/**
 * Runs a program to its end.
 *
 * @param command Absolute path or name.
 * @param options `cwd` absolute; `signal` and `timeoutMs` end the program and its children and
 *   count as failed.
 * @returns Exit code (128 when it was stopped) and output.
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
    readonly signal?: AbortSignal;
    readonly timeoutMs?: number;
  },
): Promise<ProgramResult> {
  const timeoutMs = options.timeoutMs ?? 240_000;
  const child = spawn('/bin/sh', ['-c', TIMED, 'sh', command, ...args], {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const { promise, resolve } = Promise.withResolvers<number>();
  let output = '';
  let stdout = '';
  let times = '';
  const [, out, error, clock] = child.stdio;
  if (!(out instanceof Readable && error instanceof Readable && clock instanceof Readable))
    throw new Error(`${command} was started without its pipes`);
  out.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    output += text;
  });
  error.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  clock.setEncoding('utf8').on('data', (text: string) => {
    times += text;
  });
  child.on('error', (error) => {
    output += `${error.message}\n`;
    resolve(127);
  });
  child.on('close', (code) => resolve(code ?? 128));
  // The whole group: a test runner's workers would otherwise continue.
  const stop = (how: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, how);
    } catch {
      // Already gone.
    }
  };
  const timers = [
    setTimeout(() => {
      output += `\nStopped: ${command} took longer than ${timeoutMs / 1000} s.\n`;
      stop('SIGTERM');
    }, timeoutMs),
    setTimeout(() => stop('SIGKILL'), timeoutMs + GRACE_MS),
  ];
  const abort = () => {
    stop('SIGTERM');
    timers.push(setTimeout(() => stop('SIGKILL'), GRACE_MS));
  };
  options.signal?.addEventListener('abort', abort);
  try {
    return { code: await promise, output, stdout, cpuSeconds: childrenSeconds(times) };
  } finally {
    options.signal?.removeEventListener('abort', abort);
    for (const timer of timers) clearTimeout(timer);
  }
}

/**
 * Parses the shell's `times`: its second line has minutes and seconds of the children, user and
 * system.
 */
function childrenSeconds(times: string): number {
  const children = times.split('\n')[1] ?? '';
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}
