import type { Action, Decision } from '@bulkhead/protocol';
import type { SessionStore, StoredRecord } from '@bulkhead/sessions';
import type { RecentAction } from '@bulkhead/shield';

/** Records that are looked through: more than the actions of several rounds make. */
const RECENT = 200;

interface Seen {
  readonly tool: string;
  readonly arguments: unknown;
  decision: Decision | undefined;
  outcome: string;
}

/** What the agent did in a session before `action`, oldest first: a view of the session's log, as clients see it. */
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

/** @param calls which call an action is for */
function read({ type, body }: StoredRecord, seen: Map<string, Seen>, calls: Map<string, string>): void {
  const call = String(body['call'] ?? calls.get(String(body['action'])));
  if (type === 'tool_call') {
    seen.set(call, {
      tool: String(body['tool']),
      arguments: body['arguments'],
      decision: undefined,
      outcome: '',
    });
  }
  if (type === 'action_started') calls.set(String(body['action']), call);
  const one = seen.get(call);
  if (one === undefined) return;
  if (type === 'shield_verdict') one.decision = decisionOf(body['decision']);
  if (type === 'action_completed')
    one.outcome = `${body['success'] === true ? 'done' : 'failed'}: ${String(body['summary'])}`;
}

function decisionOf(value: unknown): Decision | undefined {
  return value === 'allow' || value === 'block' || value === 'escalate' ? value : undefined;
}
