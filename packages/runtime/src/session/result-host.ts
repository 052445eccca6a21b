import { BulkheadError, describeError, type ToolHost, type ToolHostCall } from '@bulkhead/protocol';
import type { ToolMessage } from '@bulkhead/protocol/chat';
import type { SessionStore } from '@bulkhead/sessions';
import { executionOn, readKeptOutput, type TextPiece } from '@bulkhead/tools';

/** Limits of one read while a result is searched, in bytes; and of all reads of one call. */
const STEP_BYTES = 4 * 1024 * 1024;
const MOST_STEPS = 64;

/**
 * The host that shows an earlier result: the newest result of a call with that id on the session's own branch, also from before a compaction.
 * An id in the notice of a cut result opens the whole output of that command. Both were redacted and labelled when
 * they were recorded; no other session is ever looked into.
 *
 * @param outputsOf the folder of a session's kept outputs, absolute
 */
export function createResultHost(
  store: Pick<SessionStore, 'getSession' | 'recentBranch'>,
  outputsOf: (sessionId: string) => string,
): ToolHost {
  return {
    async execute(call) {
      const { sessionId } = call;
      const pieceOf = (id: string, offset: number, limit: number): TextPiece =>
        readKeptOutput(outputsOf(sessionId), id, offset, limit) ??
        partOf(findResult(store, sessionId, id).text, offset, limit);
      try {
        return { text: executionOn('results', call).run({ pieceOf }), isError: false };
      } catch (error) {
        return { text: describeError(error), isError: true };
      }
    },
    plan: async ({ tool }: ToolHostCall) => ({
      text: `${tool} would be called.`,
      isError: false,
      changes: [],
    }),
    inspect: async ({ paths }) => paths.map((path) => ({ path, hash: undefined })),
  };
}

function partOf(text: string, offset: number, limit: number): TextPiece {
  const piece = text.slice(offset, offset + limit);
  return { text: piece, next: offset + piece.length, size: text.length };
}

function findResult(
  store: Pick<SessionStore, 'getSession' | 'recentBranch'>,
  sessionId: string,
  callId: string,
): ToolMessage {
  let at = store.getSession(sessionId)?.leaf ?? null;
  for (let step = 0; at !== null && step < MOST_STEPS; step += 1) {
    const { entries } = store.recentBranch(sessionId, at, STEP_BYTES);
    for (const { message } of entries.toReversed()) {
      if (message?.role.case === 'tool' && message.role.value.callId === callId) return message.role.value;
    }
    at = entries[0]?.parent ?? null;
  }
  throw new BulkheadError('invalid_arguments', `this session has no result of a call ${callId}`, {
    fix: 'The id stands in the line that the result is shown as.',
  });
}
