import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { type LockFile, lockProblems, type Manifest } from './lock-file-rule.ts';
import { resultOf } from './result.ts';

/** A clone installs everywhere: from any mirror, on every platform, with locked hashes. */
export const lockFile: Check = {
  name: 'lock-file',
  mend: 'Run `npm run lock`. If a platform package does not exist, pin an older version of what wants it.',
  async run({ root }) {
    const lock: LockFile = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
    const folders = ['', ...(await workspaceFolders(root))];
    const manifests = new Map<string, Manifest>();
    for (const folder of folders) {
      manifests.set(folder, JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')));
    }
    return resultOf(lockProblems(lock, manifests), `${Object.keys(lock.packages).length} packages`);
  },
};

async function workspaceFolders(root: string): Promise<string[]> {
  const packages = await readdir(join(root, 'packages'));
  return [...packages.map((name) => `packages/${name}`), 'e2e', 'bench'];
}
