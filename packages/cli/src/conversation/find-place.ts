import { realpathSync } from 'node:fs';
import type { EngineLink } from '@bulkhead/client';
import { BulkheadError } from '@bulkhead/protocol';
import type { SessionSummary } from '@bulkhead/protocol/client';
import type { Output } from '../output/output.ts';
import { findSession, refuseOtherRecord } from './find-session.ts';

/** The session that the next message belongs to. */
export interface SessionPlace {
  readonly sessionId: string;
  /** Undefined for a session that was just created, and for an unlisted one. */
  readonly known: SessionSummary | undefined;
  /** Working folder of its tools, absolute; empty if unknown. */
  readonly folder: string;
}

/**
 * Finds a session, or creates one.
 *
 * @param wanted a session's id or a unique part of it; undefined for a new session
 * @param options.workingFolder absolute path, for a new session
 * @throws BulkheadError `usage` for a session on the record where it must be off it, or the reverse
 */
export async function findPlace(
  link: EngineLink,
  wanted: string | undefined,
  options: { readonly workingFolder: string; readonly offTheRecord: boolean },
  signal: AbortSignal = new AbortController().signal,
): Promise<SessionPlace> {
  const { workingFolder, offTheRecord } = options;
  if (wanted === undefined) {
    const { sessionId } = await link.once((client) =>
      client.call('createSession', { workingFolder, offTheRecord }, signal),
    );
    return { sessionId, known: undefined, folder: workingFolder };
  }
  const known = await link.repeat((client) => findSession(client, wanted, signal), signal);
  refuseOtherRecord(wanted, known, offTheRecord);
  return { sessionId: known?.sessionId ?? wanted, known, folder: known?.workingFolder ?? '' };
}

/** Sessions that are searched for the last one of a folder. */
const LATEST = 500;

/**
 * The session that a message belongs to: as named, or the last of the folder with `--continue`.
 *
 * @returns undefined for a new session
 * @throws BulkheadError `not_found` if the folder has no session
 */
export async function sessionOf(
  link: EngineLink,
  {
    session,
    last,
    workingFolder,
    offTheRecord,
  }: {
    readonly session: string | undefined;
    readonly last: boolean;
    readonly workingFolder: string;
    readonly offTheRecord: boolean;
  },
  signal: AbortSignal = new AbortController().signal,
): Promise<string | undefined> {
  if (!last) return session;
  const { sessions } = await link.repeat(
    (client) => client.call('listSessions', { limit: LATEST }, signal),
    signal,
  );
  const folder = realFolder(workingFolder);
  const found = sessions.find(
    (one) => one.offTheRecord === offTheRecord && [workingFolder, folder].includes(one.workingFolder),
  );
  if (found !== undefined) return found.sessionId;
  throw new BulkheadError('not_found', `there is no session of the folder ${workingFolder} to continue`, {
    fix: 'Leave out --continue for a new one, or name one of `bulkhead sessions list` with --session.',
  });
}

/** As the engine names folders: links are resolved. */
function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Says that tools act elsewhere than a person may expect. */
export function tellOtherFolder(
  { known, folder }: SessionPlace,
  workingFolder: string,
  stderr: Output,
): void {
  if (known === undefined || folder === workingFolder) return;
  stderr.line(`note: this session works in ${stderr.safeLine(folder)}, not in the folder you are in`);
}

/** For a person only: the command that continues a session. */
export function tellHowToGoOn(sessionId: string, offTheRecord: boolean, stderr: Output): void {
  if (!stderr.isTerminal) return;
  const otr = offTheRecord ? ' --otr' : '';
  stderr.line(stderr.palette.dim(`continue with: bulkhead chat${otr} --session ${stderr.safe(sessionId)}`));
}

/** After a limit, on a terminal or not: the work is unfinished, and the next call needs the session. */
export function tellHowToContinue(sessionId: string, offTheRecord: boolean, stderr: Output): void {
  const otr = offTheRecord ? ' --otr' : '';
  stderr.line(`continue with: bulkhead run${otr} --session ${stderr.safe(sessionId)} "go on"`);
}
