import type { EngineLink } from '@bulkhead/client';
import type { SessionSummary } from '@bulkhead/protocol/client';
import { findSession, refuseOtherRecord } from '../conversation/find-session.ts';
import type { Output } from '../output/output.ts';

/** The session a chat is about to show. */
export interface ChatPlace {
  readonly sessionId: string;
  /** Undefined for a session that was just made, and for one that isn't listed. */
  readonly known: SessionSummary | undefined;
  /** Where its tools act, absolute; empty where that is not known. */
  readonly folder: string;
}

/** What a chat has for all of its sessions. */
export interface ChatPlaceOptions {
  /** Absolute path, for new sessions. */
  readonly workingFolder: string;
  /** The configured model, to show, and what was given in its place; empty for nothing. */
  readonly model: string;
  readonly modelOverride: string;
  /** True for a chat of sessions of which nothing is written to the disk. */
  readonly offTheRecord: boolean;
}

/**
 * @param wanted a session's id or a unique beginning of it; undefined for a new session
 * @throws BulkheadError `usage` for a session that is on the record in a chat off it, or the other way
 */
export async function findPlace(
  link: EngineLink,
  wanted: string | undefined,
  { workingFolder, offTheRecord }: ChatPlaceOptions,
): Promise<ChatPlace> {
  if (wanted === undefined) {
    const { sessionId } = await link.once((client) =>
      client.call('createSession', { workingFolder, offTheRecord }),
    );
    return { sessionId, known: undefined, folder: workingFolder };
  }
  const known = await link.once((client) => findSession(client, wanted));
  refuseOtherRecord(wanted, known, offTheRecord);
  const folder = known?.workingFolder ?? '';
  return { sessionId: known?.sessionId ?? wanted, known, folder };
}

/** Says which session this is, and where it works. */
export function tellPlace(
  { sessionId, folder, known }: ChatPlace,
  { model, modelOverride, workingFolder }: ChatPlaceOptions,
  output: Output,
): void {
  const { dim, red, yellow } = output.palette;
  const shown = folder === '' ? '(unknown folder)' : folder;
  const facts = [`session ${sessionId}`, modelOverride || model, shown, '/help'].map((fact) =>
    output.safeLine(fact),
  );
  output.line(dim(facts.join(' · ')));
  const loss = known?.loss ?? '';
  if (loss !== '') {
    output.line(red(`read-only: ${output.safeLine(loss)}`));
    output.line(
      `restore a backup, or go on without what is missing: bulkhead sessions accept-loss ${sessionId}`,
    );
  }
  if (folder === workingFolder) return;
  const where = output.safeLine(shown);
  output.line(yellow(`this session works in ${where}, not in the folder you are in`));
}
