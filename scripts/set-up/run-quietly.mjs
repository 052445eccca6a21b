import { spawn } from 'node:child_process';

const KILL_AFTER_MS = 5_000;
const KEEP_CHARACTERS = 64_000;

/**
 * Runs a program to its end and keeps the last of what it says.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, signal: AbortSignal, onStart?: (pid: number) => void }} options Aborting ends the
 *   program (SIGTERM, after five seconds SIGKILL) and is reported once it is really gone.
 * @returns {Promise<{ ok: boolean, output: string }>} Standard output and error together, at most the last 64,000 characters.
 * @throws The signal's reason when aborted.
 */
export async function runQuietly(command, args, { cwd, env, signal, onStart }) {
  signal.throwIfAborted();
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid !== undefined) onStart?.(child.pid);
  let output = '';
  const keep = (/** @type {string} */ text) => {
    output = (output + text).slice(-KEEP_CHARACTERS);
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  /** @type {NodeJS.Timeout | undefined} */
  let lastResort;
  const stop = () => {
    child.kill('SIGTERM');
    lastResort = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  };
  signal.addEventListener('abort', stop);
  try {
    /** @type {boolean} */
    const ok = await new Promise((resolve) => {
      child.on('error', (error) => {
        keep(error.message);
        resolve(false);
      });
      child.on('close', (code) => resolve(code === 0));
    });
    signal.throwIfAborted();
    return { ok, output };
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(lastResort);
  }
}
