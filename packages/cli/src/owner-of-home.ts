import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isAlive } from '@bulkhead/client';
import type { HomeLayout } from '@bulkhead/protocol';
import type { NamedProcess } from './stop-engine.ts';

/**
 * The living processes that hold a home, in case they don't answer: the supervisor first, if there
 * is one. Finds them by the pid file beside the home's lock (the lock itself must not be read).
 * Another program, or another home's engine, may have the number now: a process counts if its
 * command line is an engine's and it has this home's lock open. Empty without `/proc`.
 */
export function ownersOfHome(layout: HomeLayout): readonly NamedProcess[] {
  const holder = Number(readOrEmpty(pidFile(layout)).trim());
  if (!Number.isSafeInteger(holder) || holder <= 1 || !isAlive(holder)) return [];
  if (kindOf(holder) === undefined || !hasOpen(holder, layout.lock)) return [];
  return [parentOf(holder), holder].flatMap((pid) => {
    const kind = kindOf(pid);
    return kind === undefined ? [] : [{ kind, pid }];
  });
}

/** True if an engine died without cleaning up: its supervisor may be starting the next one. */
export function hasStalePid(layout: HomeLayout): boolean {
  return existsSync(pidFile(layout)) && ownersOfHome(layout).length === 0;
}

function pidFile(layout: HomeLayout): string {
  return `${layout.lock}.pid`;
}

function kindOf(pid: number): string | undefined {
  const words = readOrEmpty(`/proc/${pid}/cmdline`).split('\0');
  for (const kind of ['supervisor', 'engine']) {
    if (words.some((word) => /\.m?js$/.test(word) && word.replace(/\.m?js$/, '').endsWith(`/${kind}`)))
      return kind;
  }
  return undefined;
}

/**
 * Compares the open file with the path's file and opens neither, because that would release the
 * caller's lock.
 */
function hasOpen(pid: number, path: string): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    const { dev, ino } = statSync(path);
    return readdirSync(folder).some((name) => {
      const found = statSync(`${folder}/${name}`, { throwIfNoEntry: false });
      return found?.dev === dev && found.ino === ino;
    });
  } catch {
    return false;
  }
}

/** 0 if unknown. The fourth field of `stat`; the second is in brackets and may contain any text. */
function parentOf(pid: number): number {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(parent ?? 0);
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
