import { create } from '@bufbuild/protobuf';
import type { DurableEventBody } from '@bulkhead/protocol';
import { type AssistantMessage, ToolMessageSchema } from '@bulkhead/protocol/chat';
import { readMessage, type StoredRecord } from '@bulkhead/sessions';
import { callsOf, NO_USAGE, toolMessage } from './message-view.ts';
import { eventRecord } from './record-codec.ts';
import type { SessionLog } from './session-log.ts';

const UNKNOWN = 'it is not known whether it took effect';
const NOT_DONE = 'it was not done';
const MESSAGE = 'the engine stopped while this message was being worked on';

interface OpenAction {
  readonly call: string;
  readonly hash: string;
  /** The question nobody has answered yet: such an action has not been started. */
  readonly approval?: string;
}

/** What a run had begun and not ended when its engine stopped. */
interface OpenRun {
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

/**
 * Ends a run that a stopped engine left open: every action, call and round gets its end, and the message its
 * `settled`, as failed. An action that had started is said to be unknown: it may have taken effect. One that waited for
 * approval had not; its question is withdrawn.
 *
 * @returns false if the message had not been started: it can be run as if it had just come
 */
export function closeInterrupted(
  log: SessionLog,
  input: { readonly sessionId: string; readonly messageId: string; readonly pos: number },
  now: number,
): boolean {
  const records = log.store.records(input.sessionId, { pos: input.pos });
  const start = records.find(
    ({ type, body }) => type === 'agent_start' && body['message'] === input.messageId,
  );
  if (start === undefined) return false;
  const open = openRun(records.filter(({ turn }) => turn === start.turn));
  const event = (body: DurableEventBody) => eventRecord(now, open.runId, body);
  const before = [...open.actions].flatMap(([action, { call, hash, approval }]) => [
    ...(approval === undefined
      ? []
      : [event({ type: 'approval_decided', approval, action, hash, decision: 'deny', by: 'cancel' })]),
    event({
      type: 'action_completed',
      action,
      call,
      hash,
      success: false,
      summary: open.begun.has(call) ? UNKNOWN : NOT_DONE,
    }),
  ]);
  if (open.messageOpen) {
    before.push(event({ type: 'message_end', role: 'assistant', text: '', stopReason: 'error' }));
  }
  let parent = open.leaf;
  const results = [...open.calls].map(([callId, name]) => {
    const text = `Interrupted by a restart: ${open.begun.has(callId) ? UNKNOWN : NOT_DONE}.`;
    const message = toolMessage(create(ToolMessageSchema, { callId, name, text, isError: true }));
    const entry = log.entry(
      open.runId,
      parent,
      { type: 'tool_output', call: callId, tool: name, isError: true },
      message,
    );
    parent = entry.id;
    return entry.record;
  });
  const after: DurableEventBody[] = [
    ...(open.turnOpen ? [turnEnd(open.rounds)] : []),
    { type: 'error', code: 'agent_failed', message: MESSAGE, retryable: true },
    { type: 'save_point' },
    { type: 'agent_end', message: input.messageId },
    {
      type: 'settled',
      message: input.messageId,
      outcome: 'failed',
      answer: '',
      usage: NO_USAGE,
      cost: null,
      rounds: open.rounds,
      error: { code: 'agent_failed', message: MESSAGE },
    },
  ];
  log.append(input.sessionId, [...before, ...results, ...after.map(event)], parent ?? undefined);
  return true;
}

function turnEnd(round: number): DurableEventBody {
  return { type: 'turn_end', round, usage: NO_USAGE, stopReason: 'error' };
}

function openRun(records: readonly StoredRecord[]): OpenRun {
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

/** @param begun calls whose action may have taken effect: not while approval is awaited, and not if it was refused */
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
      begun.add(String(body['call']));
      break;
    case 'approval_requested':
      actions.set(id, { call, hash, approval: String(body['approval']) });
      begun.delete(call);
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
