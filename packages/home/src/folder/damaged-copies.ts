import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { BulkheadError, type Clock, describeError, type HomeLayout } from '@bulkhead/protocol';
import { makeFolder } from './make-folder.ts';

/** Most copies; the oldest are removed first. */
const MAX_COPIES = 4;
/** Bytes of one copy. A larger database is left out, and only its write-ahead log is kept. */
const MAX_COPY_BYTES = 512 * 1024 * 1024;
/** A rising number, for the order, and the time, for users. */
const NAME = /^\d{4}-[0-9TZ-]+$/;
const NOTE = 'lost.txt';
/** Name of an unfinished copy; one of an interrupted start is overwritten. */
const DRAFT = 'new';

type Places = Pick<HomeLayout, 'damaged' | 'database'>;

/** A copy of a session database that had lost records. */
export interface DamagedCopy {
  readonly name: string;
  readonly bytes: number;
  /** False: it was too large, or there was no room, and only the write-ahead log was kept. */
  readonly isWhole: boolean;
  /** The missing records; empty if that can't be read. */
  readonly lost: string;
}

/** The copies of this home, oldest first. Changes nothing. */
export function damagedCopies({ damaged, database }: Places): readonly DamagedCopy[] {
  return namesIn(damaged).map((name) => {
    const files = readdirSync(`${damaged}/${name}`);
    const bytes = files.map((file) => statSync(`${damaged}/${name}/${file}`).size);
    const lost = files.includes(NOTE) ? readFileSync(`${damaged}/${name}/${NOTE}`, 'utf8') : '';
    return {
      name,
      lost,
      bytes: bytes.reduce((sum, each) => sum + each, 0),
      isWhole: files.includes(basename(database)),
    };
  });
}

/**
 * Copies a session database with its write-ahead log, flushed, before any write to either: the
 * first write overwrites the frames that SQLite rejects. No code of this process may have the
 * database open: closing one of its files releases SQLite's locks.
 *
 * @param lost records that the copy may still hold, for its finder
 * @throws BulkheadError `store_failed` if not even the write-ahead log can be kept: then nothing
 *   was changed
 */
export function keepDamagedCopy(places: Places, lost: string, clock: Pick<Clock, 'now'>): DamagedCopy {
  const { damaged, database } = places;
  const before = namesIn(damaged);
  const number = Number(before.at(-1)?.slice(0, 4) ?? 0) + 1;
  const name = `${String(number % 10_000).padStart(4, '0')}-${timeOf(clock.now())}`;
  const log = `${database}-wal`;
  const isSmall = statSync(database).size + statSync(log).size <= MAX_COPY_BYTES;
  const attempts = isSmall ? [[log, database], [log]] : [[log]];
  let failure: unknown;
  for (const files of attempts) {
    try {
      copyTo(`${damaged}/${name}`, files, lost);
      for (const old of before.slice(0, Math.max(0, before.length + 1 - MAX_COPIES)))
        rmSync(`${damaged}/${old}`, { recursive: true, force: true });
      const kept = damagedCopies(places).find((copy) => copy.name === name);
      if (kept !== undefined) return kept;
    } catch (error) {
      failure = error;
    }
  }
  throw new BulkheadError(
    'store_failed',
    `the session database ${database} lost records, and a copy of it could not be kept in ${damaged}: ${describeError(failure)}`,
    {
      fix: `Free some space, or move ${log} to another disk, then start again: a start writes over what it still holds.`,
      cause: failure,
    },
  );
}

/**
 * Removes a copy.
 *
 * @param name as `damagedCopies` gives it
 * @throws BulkheadError `not_found`
 */
export function removeDamagedCopy(places: Places, name: string): void {
  if (!namesIn(places.damaged).includes(name)) {
    throw new BulkheadError('not_found', `there is no copy ${name} in ${places.damaged}`, {
      fix: '`bulkhead doctor` lists the copies that there are.',
    });
  }
  rmSync(`${places.damaged}/${name}`, { recursive: true, force: true });
}

/** A copy has its name only once it is complete. */
function copyTo(folder: string, files: readonly string[], lost: string): void {
  const draft = `${dirname(folder)}/${DRAFT}`;
  makeFolder(dirname(folder));
  try {
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { mode: 0o700 });
    for (const file of files) {
      const copy = `${draft}/${basename(file)}`;
      copyFileSync(file, copy, constants.COPYFILE_FICLONE);
      chmodSync(copy, 0o600);
      flush(copy);
    }
    writeFileSync(`${draft}/${NOTE}`, lost, { mode: 0o600 });
    for (const each of [`${draft}/${NOTE}`, draft]) flush(each);
    renameSync(draft, folder);
    flush(dirname(folder));
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Of a file; 0 if it is missing. */
export function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function namesIn(folder: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort();
}

/** A clock's value may be outside the range of dates; a late year has a sign. */
function timeOf(now: number): string {
  return Math.abs(now) < 8.64e15 ? new Date(now).toISOString().slice(0, 19).replaceAll(/[:+]/g, '-') : '0';
}
