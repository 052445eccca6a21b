import { createHash } from 'node:crypto';
import {
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { lastingId, putFileSync } from '@bulkhead/files';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { fieldsOf, readHomeId, readSmall } from './home-mark.ts';
import { makeFolder } from './make-folder.ts';

/*
 * A record outside each home of its last place: its id and its disk. Only such a record
 * distinguishes an empty mount point from a place that never had a home. A user who removed a home
 * while its disk was mounted did so on purpose, and may make a new one without asking.
 */

/** The environment of the caller. */
type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Most records; those whose home was not started for longest are removed first. Temporary homes are
 * many.
 */
const MOST_RECORDS = 100;

/** File systems that keep nothing once they are unmounted, types as `statfs` gives them: tmpfs, ramfs. */
const VOLATILE: readonly number[] = [0x01021994, 0x858458f6];

/** The disk that a path lies on, or would lie on. */
interface Disk {
  readonly mountPoint: string;
  /**
   * Distinguishes it from another disk at the same mount point; empty for the root of the system.
   */
  readonly disk: string;
  readonly isVolatile: boolean;
}

interface HomeRecord extends Disk {
  readonly id: string;
}

/**
 * Checks whether the home that was last used under this path still exists.
 *
 * @param layout of the path as the user gave it
 * @returns `replaced`: there was another one on this disk, and the user removed or replaced it
 * @throws BulkheadError `not_available` if its disk is not mounted, or another one is in its
 *   place: then no home may be made
 */
export function checkHome(layout: HomeLayout, env: Variables): 'known' | 'new' | 'replaced' {
  const path = recordPath(layout, env);
  const text = readSmall(path);
  if (text === undefined) return 'new';
  const record = parseRecord(text, layout.root);
  const id = readHomeId(layout);
  // Even an unreadable record proves that there was a home.
  if (record === undefined) {
    if (id !== undefined) return 'new';
    throw vanished(layout.root, `${path} says so, and can't be read`);
  }
  if (id === record.id) return 'known';
  const now = diskUnder(layout.root);
  const isMounted = now.mountPoint === record.mountPoint;
  if (isMounted && (now.disk === record.disk || record.isVolatile)) return 'replaced';
  const isOther = isMounted || now.mountPoint.startsWith(`${record.mountPoint}/`.replace('//', '/'));
  throw vanished(
    layout.root,
    isOther
      ? `another disk is mounted at ${now.mountPoint}`
      : `the disk that was mounted at ${record.mountPoint} is not mounted`,
  );
}

/**
 * Records that a complete home is here.
 *
 * @throws the system's error, if the user's folder of state can't be written
 */
export function recordHome(layout: HomeLayout, env: Variables): void {
  const id = readHomeId(layout);
  if (id === undefined) return;
  const path = recordPath(layout, env);
  const text = `${JSON.stringify({ version: 1, home: layout.root, id, ...diskUnder(layout.root) })}\n`;
  if (readSmall(path) === text) {
    const now = new Date();
    utimesSync(path, now, now);
    return;
  }
  makeFolder(dirname(path));
  putFileSync(path, text);
  removeOldest(dirname(path));
}

/** Lets the next start make a new home, or use the existing one. */
export function forgetHome(layout: HomeLayout, env: Variables): void {
  rmSync(recordPath(layout, env), { force: true });
}

/**
 * A fixed name for each path. A moved home is another one; the record of the old path is removed in
 * time.
 */
function recordPath({ root }: HomeLayout, env: Variables): string {
  const state = env['XDG_STATE_HOME'] ?? '';
  const folder = state.startsWith('/') ? state : join(env['HOME'] || homedir(), '.local/state');
  const digest = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return join(resolve(folder), 'bulkhead/homes', `${digest}.json`);
}

/** @returns undefined for anything but a record of this home */
function parseRecord(text: string, root: string): HomeRecord | undefined {
  const { version, home, id, mountPoint, disk, isVolatile } = fieldsOf(text);
  const isWhole =
    version === 1 &&
    home === root &&
    typeof id === 'string' &&
    typeof mountPoint === 'string' &&
    typeof disk === 'string' &&
    typeof isVolatile === 'boolean';
  return isWhole ? { id, mountPoint, disk, isVolatile } : undefined;
}

function diskUnder(path: string): Disk {
  const mountPoint = mountPointOf(existing(path));
  const { type } = statfsSync(mountPoint);
  // The root always exists, and not every one keeps its time of birth.
  const disk = mountPoint === '/' ? '' : lastingId(lstatSync(mountPoint, { bigint: true }), type);
  return { mountPoint, disk, isVolatile: VOLATILE.includes(type) };
}

/** The real path of this or of the innermost folder above it that exists. */
function existing(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return existing(dirname(path));
  }
}

/** @param path real, of an existing object */
function mountPointOf(path: string): string {
  const mounts = mountPoints();
  for (let at = path; at !== '/'; at = dirname(at)) {
    // Only the table shows a folder that is mounted on its own disk.
    const isMount = mounts?.has(at) ?? statSync(at).dev !== statSync(dirname(at)).dev;
    if (isMount) return at;
  }
  return '/';
}

/** By `/proc/self/mountinfo`, proc_pid_mountinfo(5). @returns undefined where there is no such table */
function mountPoints(): ReadonlySet<string> | undefined {
  try {
    const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    return new Set(lines.map((line) => plainText(line.split(' ')[4] ?? '')));
  } catch {
    return undefined;
  }
}

function plainText(field: string): string {
  return field.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}

function removeOldest(folder: string): void {
  const paths = readdirSync(folder).map((name) => join(folder, name));
  if (paths.length <= MOST_RECORDS) return;
  const times = paths.map((path) => ({
    path,
    time: lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }));
  for (const { path } of times.toSorted((a, b) => b.time - a.time).slice(MOST_RECORDS))
    rmSync(path, { force: true });
}

function vanished(root: string, reason: string): BulkheadError {
  return new BulkheadError('not_available', `the home that was used at ${root} is not there now: ${reason}`, {
    fix: 'Mount its disk. To use what is there, or make a new home there, run `bulkhead start --new-home`.',
    details: { home: root },
  });
}
