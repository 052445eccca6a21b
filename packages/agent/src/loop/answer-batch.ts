import { BulkheadError } from '@bulkhead/protocol';
import type { ToolResultDelivery } from '@bulkhead/protocol/agent';
import type { ToolCall, ToolMessage } from '@bulkhead/protocol/chat';
import type { Cancellation } from './cancellation.ts';
import type { LoopPorts } from './loop-ports.ts';
import type { OpenBatch } from './open-batch.ts';

/** A batch with all its results. */
export interface AnsweredBatch {
  /** One per call, in call order. */
  readonly results: readonly ToolMessage[];
  /** True if every result of the batch allows the run to end. */
  readonly terminate: boolean;
}

/**
 * Proposes the calls of a batch that have no result yet and awaits them [L4]: adjacent calls that
 * may run concurrently together, all others one at a time, in order.
 *
 * @param sideBySide names of tools with concurrent calls; tools loaded by a call of the batch are
 *   added
 */
export async function answerBatch(
  batch: OpenBatch,
  sideBySide: Set<string>,
  ports: LoopPorts,
  cancellation: Cancellation,
): Promise<AnsweredBatch> {
  const results = new Map(batch.results);
  let terminating = 0;
  let open = batch.calls.filter(({ callId }) => !results.has(callId));
  while (open.length > 0) {
    const group = nextGroup(open, sideBySide);
    open = open.slice(group.length);
    const answers = group.map((call) => proposeCall(call, ports));
    for (const { result, terminate, sideBySide: loaded } of await cancellation.wait(Promise.all(answers))) {
      results.set(result.callId, result);
      for (const name of loaded) sideBySide.add(name);
      if (terminate) terminating += 1;
    }
  }
  return {
    results: batch.calls.flatMap(({ callId }) => results.get(callId) ?? []),
    terminate: terminating === batch.calls.length,
  };
}

/** The calls at the start of `open` that may run concurrently. */
function nextGroup(open: readonly ToolCall[], sideBySide: ReadonlySet<string>): readonly ToolCall[] {
  const end = open.findIndex(({ name }) => !sideBySide.has(name));
  return end < 0 ? open : open.slice(0, Math.max(end, 1));
}

async function proposeCall(
  call: ToolCall,
  ports: LoopPorts,
): Promise<Omit<ToolResultDelivery, 'result'> & { readonly result: ToolMessage }> {
  ports.emit({ type: 'tool_call', call });
  const { result, ...rest } = await ports.results.toolResult(call.callId);
  if (result?.callId !== call.callId) {
    throw new BulkheadError('protocol_violation', `no result was delivered for call ${call.callId}`);
  }
  return { ...rest, result };
}
