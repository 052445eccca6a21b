import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { AttackReport } from './run-attacks.ts';

/**
 * Opens fifty descriptors of the file named first, from 100 on, and executes the rest: a process
 * with such a leak. It also requests core files, if the machine allows them.
 */
const LEAK =
  'ulimit -c hard; leak=$1; shift; for n in {100..149}; do eval "exec $n<\\$leak"; done; exec "$@"';

/**
 * Starts the launching process that is attacked: with canaries in its environment and its
 * arguments, and with descriptors left open.
 *
 * @param args `--box`, `--without`, `--package-root`, as `launching-process.child.ts` takes them
 * @throws Error if it ended without a report
 */
export async function startAttacks(args: readonly string[]): Promise<AttackReport> {
  const canary = `canary-${randomBytes(16).toString('hex')}`;
  const folder = await mkdtemp(`${tmpdir()}/bulkhead-leak-`);
  try {
    const leak = `${folder}/leak`;
    await writeFile(leak, canary, { mode: 0o644 });
    const engine = fileURLToPath(new URL('launching-process.child.ts', import.meta.url));
    const command = [process.execPath, engine, '--secret', canary, ...args];
    const child = spawn('/bin/bash', ['-c', LEAK, 'bash', leak, ...command], {
      env: { ...process.env, BULKHEAD_CANARY: canary },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    const parts: Buffer[] = [];
    for await (const part of child.stdout) parts.push(part);
    const code = await ended;
    if (code !== 0) throw new Error(`The attacks ended with code ${code}`);
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
