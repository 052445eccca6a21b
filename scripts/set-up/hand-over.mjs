import { spawn } from 'node:child_process';

const FORWARDED = /** @type {const} */ ([
  'SIGTERM',
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGUSR1',
  'SIGUSR2',
  'SIGCONT',
]);

/**
 * Runs a program in this one's place: same terminal, same signals, same end.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>} Its exit code. If a signal ended it, the same signal ends this process.
 * @throws When it can't be started.
 */
export async function handOver(command, args, { cwd, env }) {
  const child = spawn(command, args, { cwd, env, stdio: 'inherit' });
  // What a key sends from the terminal reaches the child without us; passing it on would send it twice.
  const fromTerminal = new Set(process.stdin.isTTY ? ['SIGINT', 'SIGQUIT', 'SIGCONT'] : []);
  const handlers = FORWARDED.map((name) => {
    const handler = () => {
      if (!fromTerminal.has(name)) child.kill(name);
    };
    process.on(name, handler);
    return { name, handler };
  });
  /** @type {{ code: number | null, signal: NodeJS.Signals | null }} */
  const end = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
  for (const { name, handler } of handlers) process.off(name, handler);
  if (end.signal !== null) {
    process.kill(process.pid, end.signal);
    // The signal may be ignored or late; then the shell's convention says the same.
    return 128 + 15;
  }
  return end.code ?? 1;
}
