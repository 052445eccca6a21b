import type { Action, Decision } from '@bulkhead/protocol';
import type { SessionStore, StoredRecord } from '@bulkhead/sessions';
import type { RecentAction } from '@bulkhead/shield';

/** Records to search: more than the actions of several rounds produce. */
const RECENT = 200;

interface Seen {
  readonly tool: string;
  readonly arguments: unknown;
  decision: Decision | undefined;
  outcome: string;
}

/**
 * The actions of a session before `action`, oldest first, from the session's log as clients see it.
 */
export function recentActions(
  store: Pick<SessionStore, 'lastSeq' | 'records'>,
  { sessionId, callId }: Action,
): readonly RecentAction[] {
  const last = store.lastSeq(sessionId);
  const seen = new Map<string, Seen>();
  const calls = new Map<string, string>();
  for (const record of store.records(sessionId, { seq: Math.max(0, last - RECENT) }, RECENT)) {
    read(record, seen, calls);
  }
  seen.delete(callId);
  return [...seen.values()];
}

/** @param calls maps an action to its call */
function read(record: StoredRecord, seen: Map<string, Seen>, calls: Map<string, string>): void {
  switch (record.type) {
    case 'tool_call': {
      const { call, tool, arguments: args } = record.body;
      seen.set(call, { tool, arguments: args, decision: undefined, outcome: '' });
      return;
    }
    case 'action_started':
      calls.set(record.body.action, record.body.call);
      return;
    case 'shield_verdict': {
      const one = seen.get(calls.get(record.body.action) ?? '');
      if (one !== undefined) one.decision = record.body.decision;
      return;
    }
    case 'action_completed': {
      const { call, success, summary } = record.body;
      const one = seen.get(call);
      if (one !== undefined) one.outcome = `${success ? 'done' : 'failed'}: ${summary}`;
      return;
    }
    default:
  }
}
