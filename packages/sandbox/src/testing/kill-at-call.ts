import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

export const hasStrace = spawnSync('strace', ['-V']).status === 0;

/** Kills a process as it enters its system call number `count`. @returns once that is prepared, its end */
export async function killAtCall(pid: number, count: number): Promise<{ readonly end: Promise<unknown> }> {
  const injection = `inject=all:signal=SIGKILL:when=${count}`;
  const args = ['-o', '/dev/null', '-p', String(pid), '-e', 'trace=all', '-e', injection];
  const tracer = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const end = once(tracer, 'exit');
  for await (const text of tracer.stderr) if (String(text).includes('attached')) break;
  return { end };
}
