import { create } from '@bufbuild/protobuf';
import { callBodyOf } from '@bulkhead/log/ledger/call-body';
import type { Ledger } from '@bulkhead/log/ledger/ledger';
import { textOf } from '@bulkhead/log/session/message-view';
import { noteRecord } from '@bulkhead/log/session/record-codec';
import type { SessionLog } from '@bulkhead/log/session/session-log';
import { BulkheadError, type ModelCall, type ModelClient, type ModelStreamEvent } from '@bulkhead/protocol';
import { MessageSchema } from '@bulkhead/protocol/chat';

/** Services of the engine for a call beside the conversation. */
export interface SideCallServices {
  readonly log: SessionLog;
  readonly ledger: Ledger;
  readonly now: () => number;
}

/**
 * One model call that is not part of the conversation: within the caps, and counted for its session
 * with any outcome.
 *
 * @param purpose in usage reports: `title`, `shield`
 * @returns the text of the answer
 * @throws BulkheadError `spend_limit`, or the failure of the call
 */
export async function sideCall(
  { log, ledger, now }: SideCallServices,
  purpose: string,
  sessionId: string,
  model: ModelClient,
  call: ModelCall,
  signal: AbortSignal,
): Promise<string> {
  const reservation = ledger.reserve(sessionId, model.name, model.price, call);
  let finish: Extract<ModelStreamEvent, { type: 'finish' }> | undefined;
  let failure: BulkheadError | undefined;
  let received: number | undefined;
  try {
    for await (const event of model.stream(call, signal)) {
      received ??= 0;
      if (event.type === 'finish') finish = event;
      else received += event.text.length;
    }
  } catch (error) {
    failure = BulkheadError.from(error);
  }
  const body = callBodyOf(purpose, model, call, finish?.usage, failure, received);
  reservation.settle(body.cost);
  if (log.store.getSession(sessionId)?.offTheRecord === true) log.store.addSpending(body, now());
  log.append(sessionId, [noteRecord(now(), '', { type: 'model_call', body })], { durable: false });
  if (finish === undefined) throw failure ?? new BulkheadError('server_error', 'no answer came');
  return textOf(create(MessageSchema, { role: { case: 'assistant', value: finish.message } }));
}
