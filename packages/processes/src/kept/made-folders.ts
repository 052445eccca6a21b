import { chmodSync, lstatSync, mkdirSync, utimesSync } from 'node:fs';
import { BulkheadError } from '@bulkhead/protocol';
import { TEMPORARY } from './box-record.ts';

const SHOWN_AT = { tmp: '/tmp', 'var-tmp': '/var/tmp', shm: '/dev/shm' };
/** Ids that may become names of folders. */
export const PLAIN_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The last two are open to every user in the box, as they are outside of it. */
export function makeFolders(path: string, sessionId: string, now: number): { home: string; temp: string } {
  if (!PLAIN_ID.test(sessionId)) throw new BulkheadError('internal', 'a session id is no plain name');
  const [home, temp] = [`${path}/home`, `${path}/tmp/${sessionId}`];
  for (const folder of [home, temp]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of TEMPORARY) {
    const folder = `${temp}/${name}`;
    if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) continue;
    mkdirSync(folder, { mode: 0o700 });
    chmodSync(folder, 0o1777);
  }
  utimesSync(temp, now / 1_000, now / 1_000);
  return { home, temp };
}

/**
 * A working folder below /tmp is mounted there: its mount point must not look like the command's
 * work. Made by its first name only, which no link can lead elsewhere.
 */
export function makeMountPoint(temp: string, workingFolder: string): void {
  for (const [name, path] of Object.entries(SHOWN_AT)) {
    const [first] = workingFolder.startsWith(`${path}/`)
      ? workingFolder.slice(path.length + 1).split('/')
      : [];
    if (first === undefined) continue;
    try {
      mkdirSync(`${temp}/${name}/${first}`);
    } catch {
      // It exists, or the launcher reports the problem.
    }
  }
}

/** Changes if an entry comes or goes at the top of one of them. */
export function timesOf(home: string, temp: string): string {
  return [home, ...TEMPORARY.map((name) => `${temp}/${name}`)]
    .map((path) => lstatSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs)
    .join(' ');
}

/** Changes with its attributes and mode, and if an entry comes, goes or is renamed; no command can set it. */
export function changeOf(path: string): bigint | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ctimeNs;
}

export function usedAt(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
