import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import type { CallerBook } from '@bulkhead/http';
import { BulkheadError, describeError, type HomeLayout } from '@bulkhead/protocol';
import type { SessionStore, Tables } from '@bulkhead/sessions';
import { createCallerTables, type ProgramSessions } from './caller-tables.ts';

/** What is kept of programs that call, and whose each session is. */
export type Callers = CallerBook & ProgramSessions;

/**
 * What is kept of those who speak OpenAI's API. Each works in a folder of its own beside the home, unless the owner names one for all.
 *
 * @param folder as configured
 * @param kept.store tells what a session is a fork of
 */
export function openCallers(
  { root }: Pick<HomeLayout, 'root'>,
  folder: string | undefined,
  kept: { readonly tables: Tables; readonly store: Pick<SessionStore, 'getSession'> },
  time: Pick<ConfirmedTime, 'confirmed'>,
): Callers {
  return {
    ...createCallerTables(kept.tables, time, (id) => kept.store.getSession(id)?.origin?.session),
    folderOf: ({ name }) => folder ?? ownFolder(join(`${root}-work`, name)),
  };
}

/** @param path of plain names below a folder of the user's own */
function ownFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  } catch (cause) {
    throw new BulkheadError('not_available', `the folder ${path} can't be made: ${describeError(cause)}`, {
      cause,
      fix: 'Name another one for all programs with server.workingFolder in config.yaml.',
    });
  }
}
