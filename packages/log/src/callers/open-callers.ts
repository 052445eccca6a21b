import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import type { CallerBook } from '@bulkhead/http';
import { BulkheadError, describeError, type HomeLayout } from '@bulkhead/protocol';
import type { SessionStore } from '@bulkhead/sessions';
import { openCallerDatabase, type ProgramSessions } from './caller-database.ts';

/** What is kept of programs that call, and whose each session is. */
export interface Callers extends CallerBook, ProgramSessions {
  /** The session is gone for good: nothing has to be known of whose it was. */
  forgetGone(sessionId: string): void;
}

/**
 * What is kept of those who speak OpenAI's API. Each works in a folder of its own beside the home, unless the owner names one for all.
 *
 * @param folder as configured
 * @param store tells what a session is a fork of
 * @throws BulkheadError `store_corrupt`
 */
export function openCallers(
  layout: Pick<HomeLayout, 'root' | 'callers'>,
  folder: string | undefined,
  stack: AsyncDisposableStack,
  time: Pick<ConfirmedTime, 'confirmed'>,
  store: Pick<SessionStore, 'getSession'>,
): Callers {
  const database = stack.use(
    openCallerDatabase(layout.callers, time, (id) => store.getSession(id)?.origin?.session),
  );
  return {
    isOfProgram: (sessionId) => database.isOfProgram(sessionId),
    sessionOf: (caller, name) => database.sessionOf(caller, name),
    keep: (caller, name, sessionId) => database.keep(caller, name, sessionId),
    responseOf: (caller, response) => database.responseOf(caller, response),
    keepResponse: (caller, response, place) => database.keepResponse(caller, response, place),
    // What is there, whatever state it is in, stays its program's.
    forgetGone: (sessionId) => {
      if (store.getSession(sessionId) === undefined) database.forget(sessionId);
    },
    answerOf: (caller, key) => database.answerOf(caller, key),
    keepAnswer: (caller, key, answer) => database.keepAnswer(caller, key, answer),
    folderOf: ({ name }) => folder ?? ownFolder(join(`${layout.root}-work`, name)),
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
