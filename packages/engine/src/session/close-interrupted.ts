import { create } from '@bufbuild/protobuf';
import type { DurableEventBody } from '@bulkhead/protocol';
import { type AssistantMessage, ToolMessageSchema } from '@bulkhead/protocol/chat';
import { readMessage, type StoredRecord } from '@bulkhead/sessions';
import { callsOf, NO_USAGE, toolMessage } from './message-view.ts';
import { eventRecord } from './record-codec.ts';
import type { SessionLog } from './session-log.ts';

const MESSAGE = 'the engine stopped while this message was being worked on';

/** What a run had begun and not ended when its engine stopped. */
interface OpenRun {
  readonly runId: string;
  readonly rounds: number;
  readonly turnOpen: boolean;
  readonly messageOpen: boolean;
  readonly actions: ReadonlyMap<string, { readonly call: string; readonly hash: string }>;
  readonly calls: ReadonlyMap<string, string>;
  readonly leaf: string | null;
}

/**
 * Ends a run that a stopped engine left open: every action, call and round gets its end, and the message its
 * `settled`, as failed. An action that had started is said to be unknown: it may have taken effect.
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
  const before = [...open.actions].map(([action, { call, hash }]) =>
    event({
      type: 'action_completed',
      action,
      call,
      hash,
      success: false,
      summary: 'interrupted: it is not known whether it took effect',
    }),
  );
  if (open.messageOpen) {
    before.push(event({ type: 'message_end', role: 'assistant', text: '', stopReason: 'error' }));
  }
  let parent = open.leaf;
  const results = [...open.calls].map(([callId, name]) => {
    const text = 'Interrupted by a restart: it is not known whether it took effect.';
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
  const actions = new Map<string, { call: string; hash: string }>();
  const calls = new Map<string, string>();
  let leaf: string | null = null;
  let rounds = 0;
  let turnOpen = false;
  let messageOpen = false;
  for (const record of records) {
    leaf = record.entry ?? leaf;
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
      case 'action_started':
        actions.set(String(body['action']), { call: String(body['call']), hash: String(body['hash']) });
        break;
      case 'action_completed':
        actions.delete(String(body['action']));
        break;
      case 'tool_output':
        calls.delete(String(body['call']));
        break;
      default:
        break;
    }
  }
  return { runId: records[0]?.turn ?? '', rounds, turnOpen, messageOpen, actions, calls, leaf };
}

function madeCalls(record: StoredRecord) {
  if (record.entry === null) return [];
  const { role } = readMessage(record.body);
  const answer: AssistantMessage | undefined = role.case === 'assistant' ? role.value : undefined;
  return answer === undefined ? [] : callsOf(answer);
}
