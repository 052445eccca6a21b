/*
 * `npm run lock`: makes `package-lock.json` follow the `package.json` files. In a copy without
 * `node_modules`, because npm otherwise drops from the lock file what other platforms need; under
 * the pinned Node.js, because an older one makes another lock file.
 */
import { copyFile, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type LockFile, lockProblems } from './checks/lock-file-rule.ts';
import { runProgram } from './checks/run-program.ts';

const root = dirname(import.meta.dirname);
const copy = await mkdtemp(join(tmpdir(), 'bulkhead-lock-'));
try {
  await cp(root, copy, { recursive: true, filter: isNeeded });
  const args = ['install', '--package-lock-only', '--ignore-scripts', '--loglevel=error'];
  const result = await runProgram('npm', args, { cwd: copy, env: process.env });
  process.stderr.write(result.output);
  const lock: LockFile = JSON.parse(await readFile(join(copy, 'package-lock.json'), 'utf8'));
  const problems =
    result.code === 0 ? lockProblems(lock, new Map()) : ['npm failed; the lock file stays as it is'];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length === 0) await copyFile(join(copy, 'package-lock.json'), join(root, 'package-lock.json'));
  else process.exitCode = 1;
} finally {
  await rm(copy, { recursive: true, force: true });
}

/** The `package.json` files, the lock file and npm's settings, and their parent folders. */
function isNeeded(path: string): boolean {
  const below = path.slice(root.length + 1);
  return /^$|^(package\.json|package-lock\.json|\.npmrc|packages|e2e|bench|test|(packages\/[^/]+|e2e|bench|test)(\/package\.json)?)$/.test(
    below,
  );
}
