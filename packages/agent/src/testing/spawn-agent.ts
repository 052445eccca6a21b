import { type ChildProcess, spawn } from 'node:child_process';
import { Duplex } from 'node:stream';

/** A child process whose fd 3 is connected to `duplex`, with an empty environment. */
export interface SpawnedAgent extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly duplex: Duplex;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Exit code, or the signal that ended it. */
  readonly exit: Promise<number | NodeJS.Signals | null>;
}

/** @param args the arguments after `node` */
export function spawnAgent(...args: readonly string[]): SpawnedAgent {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'], env: {} });
  const duplex = child.stdio[3];
  if (!(duplex instanceof Duplex)) throw new Error('fd 3 is no socket');
  let stdout = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const { promise: exit, resolve } = Promise.withResolvers<number | NodeJS.Signals | null>();
  child.on('close', (code, signal) => resolve(code ?? signal));
  return {
    child,
    duplex,
    stdout: () => stdout,
    stderr: () => stderr,
    exit,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
