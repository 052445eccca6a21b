import { glob, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const ABANDONED_AFTER_MS = 600_000;

/**
 * Moves a finished build into place, file by file, each atomically and the entries last: a process
 * that starts meanwhile finds either the old entry or the new one, and both find their chunks.
 * Chunks of the previous build stay for running engines; older ones are removed.
 *
 * @param staging Folder of the finished build, on the same file system.
 * @param dist Its destination.
 * @param files Paths below `staging`, in the order in which to move them.
 * @returns The files of the previous build.
 */
export async function publish(
  staging: string,
  dist: string,
  files: readonly string[],
): Promise<readonly string[]> {
  const before = await readFiles(dist);
  for (const file of files) {
    await mkdir(dirname(join(dist, file)), { recursive: true });
    await rename(join(staging, file), join(dist, file));
  }
  const kept = new Set([...files, ...before.current]);
  for (const file of before.previous) {
    if (!kept.has(file)) await rm(join(dist, file), { force: true });
  }
  return before.current;
}

/**
 * Removes leftovers of killed builds.
 *
 * @param dist Destination of those builds.
 * @param now Milliseconds since 1970.
 */
export async function clearAbandoned(dist: string, now: number): Promise<void> {
  for await (const name of glob('.staging-*', { cwd: dist })) {
    const { mtimeMs } = await stat(join(dist, name));
    if (now - mtimeMs > ABANDONED_AFTER_MS) await rm(join(dist, name), { recursive: true, force: true });
  }
}

async function readFiles(dist: string): Promise<{ current: readonly string[]; previous: readonly string[] }> {
  try {
    const build: { files?: string[]; previousFiles?: string[] } = JSON.parse(
      await readFile(join(dist, 'build.json'), 'utf8'),
    );
    return { current: build.files ?? [], previous: build.previousFiles ?? [] };
  } catch {
    // Unreadable: there is nothing to remove.
    return { current: [], previous: [] };
  }
}
