import type { AssistantMessage } from '@bulkhead/protocol/chat';
import { readMessage, type StoredRecord } from '@bulkhead/sessions';
import { callsOf } from './message-view.ts';

interface OpenAction {
  readonly call: string;
  readonly hash: string;
  /** The question nobody has answered yet: such an action has not been started. */
  readonly approval?: string;
}

/** What a run had begun and not ended when its engine stopped. */
export interface OpenRun {
  readonly runId: string;
  readonly rounds: number;
  readonly turnOpen: boolean;
  readonly messageOpen: boolean;
  readonly actions: ReadonlyMap<string, OpenAction>;
  readonly calls: ReadonlyMap<string, string>;
  /** Calls that may have taken effect. */
  readonly begun: ReadonlySet<string>;
  readonly leaf: string | null;
}

/** @param records of one run, in order */
export function openRun(records: readonly StoredRecord[]): OpenRun {
  const actions = new Map<string, OpenAction>();
  const calls = new Map<string, string>();
  const begun = new Set<string>();
  let leaf: string | null = null;
  let rounds = 0;
  let turnOpen = false;
  let messageOpen = false;
  for (const record of records) {
    leaf = record.entry ?? leaf;
    noteAction(record, actions, begun);
    const { body } = record;
    switch (record.type) {
      case 'turn_start':
        rounds += 1;
        turnOpen = true;
        break;
      case 'turn_end':
        turnOpen = false;
        break;
      case 'message_start':
        messageOpen = body['role'] === 'assistant';
        break;
      case 'message_end':
        messageOpen = false;
        for (const call of madeCalls(record)) calls.set(call.callId, call.name);
        break;
      case 'tool_output':
        calls.delete(String(body['call']));
        break;
      default:
        break;
    }
  }
  return { runId: records[0]?.turn ?? '', rounds, turnOpen, messageOpen, actions, calls, begun, leaf };
}

/** @param begun calls whose action may have taken effect: those that were allowed, by the shield or by a person */
function noteAction(
  { type, body }: StoredRecord,
  actions: Map<string, OpenAction>,
  begun: Set<string>,
): void {
  const id = String(body['action']);
  const { call = '', hash = '' } = actions.get(id) ?? {};
  switch (type) {
    case 'action_started':
      actions.set(id, { call: String(body['call']), hash: String(body['hash']) });
      break;
    case 'shield_verdict':
      if (body['decision'] === 'allow') begun.add(call);
      break;
    case 'approval_requested':
      actions.set(id, { call, hash, approval: String(body['approval']) });
      break;
    case 'approval_decided':
      actions.set(id, { call, hash });
      if (body['decision'] === 'allow') begun.add(call);
      break;
    case 'action_completed':
      actions.delete(id);
      break;
    default:
      break;
  }
}

function madeCalls(record: StoredRecord) {
  if (record.entry === null) return [];
  const { role } = readMessage(record.body);
  const answer: AssistantMessage | undefined = role.case === 'assistant' ? role.value : undefined;
  return answer === undefined ? [] : callsOf(answer);
}
