/*
 * A lock between processes of one machine, for work on the checkout (install, build).
 *
 * The lock is a folder; whoever has written the only file in it holds it. The file's name is never used twice, so
 * that removing a dead holder's file can't hit a living one's: of two processes that find the same dead
 * holder, the second finds nothing to remove. A folder that somebody removed between `mkdir` and
 * writing is noticed by the write. Nothing else is assumed about timing.
 */
import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const EMPTY_IS_STALE_AFTER_MS = 5_000;

/**
 * Waits for the lock.
 *
 * @param {string} folder Absolute path of the lock folder; its parent is made when missing.
 * @param {{ onWait(pid: number | undefined): void, signal: AbortSignal }} options `onWait` is called once, when somebody else
 *   holds the lock.
 * @returns {Promise<{ guard(pid: number): void, release(): void }>} `guard` names a child process that must be dead, too,
 *   before anyone may take the lock over.
 * @throws The signal's reason when aborted while waiting.
 */
export async function acquireLock(folder, { onWait, signal }) {
  const mine = `${process.pid}-${randomBytes(8).toString('hex')}`;
  mkdirSync(dirname(folder), { recursive: true });
  let told = false;
  for (;;) {
    signal.throwIfAborted();
    if (tryAcquire(folder, mine)) break;
    const holder = clearStale(folder);
    if (holder !== undefined && !told) {
      told = true;
      onWait(holder.pid);
    }
    await sleep(50 + Math.random() * 100, undefined, { signal });
  }
  return {
    guard: (pid) => writeFileSync(join(folder, mine), describe([process.pid, pid])),
    release() {
      ignoring(['ENOENT'], () => unlinkSync(join(folder, mine)));
      ignoring(['ENOENT', 'ENOTEMPTY', 'EEXIST'], () => rmdirSync(folder));
    },
  };
}

/** @param {string} folder @param {string} mine */
function tryAcquire(folder, mine) {
  if (!ignoring(['EEXIST'], () => mkdirSync(folder))) return false;
  if (!ignoring(['ENOENT'], () => writeFileSync(join(folder, mine), describe([process.pid]), { flag: 'wx' })))
    return false;
  if (readdirSync(folder).length === 1) return true;
  unlinkSync(join(folder, mine));
  return false;
}

/**
 * Removes what a dead holder left.
 *
 * @param {string} folder
 * @returns {{ pid: number | undefined } | undefined} The living holder, if there is one.
 */
function clearStale(folder) {
  /** @type {string[]} */
  let holders = [];
  let age = 0;
  if (
    !ignoring(['ENOENT'], () => {
      holders = readdirSync(folder);
      age = Date.now() - statSync(folder).mtimeMs;
    })
  ) {
    return undefined;
  }
  if (holders.length === 0 && age < EMPTY_IS_STALE_AFTER_MS) return { pid: undefined };
  for (const name of holders) {
    let text = '';
    ignoring(['ENOENT'], () => {
      text = readFileSync(join(folder, name), 'utf8');
    });
    const alive = text.split('\n').find(isAlive);
    if (alive !== undefined) return { pid: Number.parseInt(alive, 10) };
    // A file that is still being written is as good as a living holder for a moment.
    if (text === '' && age < EMPTY_IS_STALE_AFTER_MS) return { pid: undefined };
    ignoring(['ENOENT'], () => unlinkSync(join(folder, name)));
  }
  ignoring(['ENOENT', 'ENOTEMPTY', 'EEXIST'], () => rmdirSync(folder));
  return undefined;
}

/** @param {number[]} pids */
function describe(pids) {
  return pids.map((pid) => `${pid} ${startTime(pid)}`).join('\n');
}

/** @param {string} line A pid and its start time, so that a reused pid isn't taken for the holder. */
function isAlive(line) {
  const [pid, started] = line.split(' ');
  if (pid === undefined || started === undefined) return false;
  return (
    ignoring(['ESRCH'], () => ignoring(['EPERM'], () => process.kill(Number(pid), 0))) &&
    startTime(Number(pid)) === started
  );
}

/** @param {number} pid Field 22 of `/proc/PID/stat`; elsewhere than on Linux nothing is known. */
function startTime(pid) {
  let stat = '';
  ignoring(['ENOENT', 'ESRCH'], () => {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  });
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-';
}

/**
 * @param {string[]} codes
 * @param {() => unknown} work
 * @returns {boolean} False when it failed with one of the codes.
 */
function ignoring(codes, work) {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) return false;
    throw error;
  }
}
