import { BulkheadError, describeError, type ToolHost, type ToolHostCall } from '@bulkhead/protocol';
import type { ToolMessage } from '@bulkhead/protocol/chat';
import type { SessionStore } from '@bulkhead/sessions';
import { executionOn } from '@bulkhead/tools';

/** Limits of one read while a result is searched, in bytes; and of all reads of one call. */
const STEP_BYTES = 4 * 1024 * 1024;
const MOST_STEPS = 64;

/**
 * The host that shows an earlier result: the newest result of a call with that id on the session's own branch, also from before a compaction.
 * It was redacted and labelled when it was recorded; no other session is ever looked into.
 */
export function createResultHost(store: Pick<SessionStore, 'getSession' | 'recentBranch'>): ToolHost {
  return {
    async execute(call) {
      const textOf = (id: string) => findResult(store, call.sessionId, id).text;
      try {
        return { text: executionOn('results', call).run({ textOf }), isError: false };
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
