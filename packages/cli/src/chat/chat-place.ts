import type { EngineLink } from '@bulkhead/client';
import type { SessionSummary } from '@bulkhead/protocol/client';
import { findSession, refuseOtherRecord } from '../conversation/find-session.ts';
import type { Output } from '../output/output.ts';

/** The session a chat will show next. */
export interface ChatPlace {
  readonly sessionId: string;
  /** Undefined for a session that was just created, and for an unlisted one. */
  readonly known: SessionSummary | undefined;
  /** Working folder of its tools, absolute; empty if unknown. */
  readonly folder: string;
}

/** State that a chat shares among all its sessions. */
export interface ChatPlaceOptions {
  /** Absolute path, for new sessions. */
  readonly workingFolder: string;
  /** The configured model, for display, and its replacement; empty for none. */
  readonly model: string;
  readonly modelOverride: string;
  /** True for a chat whose sessions are not written to disk. */
  readonly offTheRecord: boolean;
}

/**
 * @param wanted a session's id or a unique beginning of it; undefined for a new session
 * @throws BulkheadError `usage` for a session on the record in a chat off the record, or the
 * reverse
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

/** Names this session and its working folder. */
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
