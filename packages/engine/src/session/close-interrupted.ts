import { create } from '@bufbuild/protobuf';
import { BulkheadError, type DurableEventBody } from '@bulkhead/protocol';
import { ToolMessageSchema } from '@bulkhead/protocol/chat';
import { endOfRun } from '../run/end-of-run.ts';
import { NO_USAGE, toolMessage } from './message-view.ts';
import { openRun } from './open-run.ts';
import { eventRecord } from './record-codec.ts';
import type { SessionLog } from './session-log.ts';

const UNKNOWN = 'it is not known whether it took effect';
const NOT_DONE = 'it was not done';

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
  const error = new BulkheadError(
    'agent_failed',
    'the engine stopped while this message was being worked on',
    {
      retryable: true,
    },
  );
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
    ...endOfRun(input.messageId, open.rounds, NO_USAGE, null, {
      outcome: 'failed',
      answer: '',
      thoughts: [],
      error,
    }),
  ];
  log.append(input.sessionId, [...before, ...results, ...after.map(event)], parent ?? undefined);
  return true;
}

function turnEnd(round: number): DurableEventBody {
  return { type: 'turn_end', round, usage: NO_USAGE, stopReason: 'error' };
}
