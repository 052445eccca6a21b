import { spawn } from 'node:child_process';

const GRACE_MS = 5_000;

/** How a program ended. */
export interface ProgramResult {
  readonly code: number;
  /** Standard output and error as they came. */
  readonly output: string;
  /** Standard output alone. */
  readonly stdout: string;
}

/**
 * Runs a program to its end.
 *
 * @param command Absolute path or name.
 * @param options `cwd` absolute; `signal` and `timeoutMs` end the program and its children and count as failed.
 * @returns Exit code (128 when it did not end by itself) and output.
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
  const timeoutMs = options.timeoutMs ?? 120_000;
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { promise, resolve } = Promise.withResolvers<number>();
  let output = '';
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.on('error', (error) => {
    output += `${error.message}\n`;
    resolve(127);
  });
  child.on('close', (code) => resolve(code ?? 128));
  // The whole group: a test runner's workers would go on without it.
  const stop = (how: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, how);
    } catch {
      // Gone already.
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
    return { code: await promise, output, stdout };
  } finally {
    options.signal?.removeEventListener('abort', abort);
    for (const timer of timers) clearTimeout(timer);
  }
}
