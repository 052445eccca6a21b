import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BulkheadError, describeError } from '@bulkhead/protocol';
import { isBusy } from './sqlite/sqlite-error.ts';

/**
 * Takes a lock that only one process can hold, and holds it until disposed. The kernel frees it
 * when the process dies, for any reason. `<path>.pid` names the holder to others.
 *
 * Danger: POSIX locks belong to the process and the file, not to a descriptor. If this process
 * opens the file at `path` by any other means and closes it again, the lock is lost. No code may
 * read that file. Keep a reference to the result as long as the lock is needed: an unreferenced
 * lock is collected and freed.
 * @param path file to lock; its folder must exist
 * @param home what the lock guards, for the message; default the folder of `path`
 * @throws BulkheadError `already_running` if another process holds it, `store_failed` if it can't
 *   be made
 */
export function acquireInstanceLock(path: string, home: string = dirname(path)): Disposable {
  const pidFile = `${path}.pid`;
  const database = lock(path, pidFile, home);
  try {
    // Never through a link: a file under this name is not ours.
    rmSync(`${pidFile}.new`, { force: true });
    writeFileSync(`${pidFile}.new`, `${process.pid}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(`${pidFile}.new`, pidFile);
  } catch (error) {
    database.close();
    throw cannotLock(path, error);
  }
  return {
    [Symbol.dispose]() {
      if (!database.isOpen) return;
      rmSync(pidFile, { force: true });
      database.close();
    },
  };
}

function lock(path: string, pidFile: string, home: string): DatabaseSync {
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw cannotLock(path, error);
  }
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw cannotLock(path, error);
    const pid = readPid(pidFile);
    throw new BulkheadError(
      'already_running',
      `another engine${pid === undefined ? '' : ` (pid ${pid})`} uses ${home}`,
      {
        cause: error,
        fix: 'Stop it with `bulkhead stop`, or use another home.',
        details: pid === undefined ? { home } : { home, pid },
      },
    );
  }
}

function readPid(pidFile: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8').trim());
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function cannotLock(path: string, error: unknown): BulkheadError {
  return new BulkheadError('store_failed', `can't lock ${path}: ${describeError(error)}`, {
    cause: error,
    fix: 'Check that the folder exists and can be written to.',
  });
}
