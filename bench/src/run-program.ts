import { spawn } from 'node:child_process';

export interface ProgramRun {
  /** From just before the start to the exit, milliseconds. */
  readonly wallMs: number;
  readonly stdout: string;
}

export interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Ends the program with SIGTERM. */
  readonly signal?: AbortSignal;
  /** Receives the process id as soon as it exists. */
  readonly started?: (pid: number) => void;
}

/**
 * Runs a program to its end with both output streams read.
 *
 * @throws Error if it can't be started or does not exit with 0: a wrong answer must not be measured
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env, signal, started }: ProgramOptions,
): Promise<ProgramRun> {
  signal?.throwIfAborted();
  const begin = performance.now();
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid !== undefined) started?.(child.pid);
  const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  child.stdout.on('data', (piece: Buffer) => output.stdout.push(piece));
  child.stderr.on('data', (piece: Buffer) => output.stderr.push(piece));
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>();
  let wallMs = 0;
  child.once('exit', () => {
    wallMs = performance.now() - begin;
  });
  child.once('error', reject);
  child.once('close', () => resolve());
  const stop = (): void => void child.kill();
  signal?.addEventListener('abort', stop, { once: true });
  await closed.finally(() => signal?.removeEventListener('abort', stop));
  signal?.throwIfAborted();
  if (child.exitCode !== 0) {
    const said = Buffer.concat(output.stderr).toString('utf8').trim();
    throw new Error(`${args.join(' ')} ended with ${child.exitCode ?? child.signalCode}: ${said}`);
  }
  return { wallMs, stdout: Buffer.concat(output.stdout).toString('utf8') };
}
