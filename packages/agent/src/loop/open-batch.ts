import { BulkheadError } from '@bulkhead/protocol';
import type { Message, ToolCall, ToolMessage } from '@bulkhead/protocol/chat';
import { callsOf } from './message-parts.ts';

/** The calls at the end of a run, with the results known so far. */
export interface OpenBatch {
  readonly calls: readonly ToolCall[];
  readonly results: ReadonlyMap<string, ToolMessage>;
  /** The number of messages of the run before the results. */
  readonly answeredAt: number;
}

/**
 * The batch at the end of `run`: its last answer, if that has calls and only results follow.
 *
 * @throws BulkheadError `format_error` if two calls share an id, or one has none
 */
export function openBatch(run: readonly Message[]): OpenBatch | undefined {
  const results = new Map<string, ToolMessage>();
  let at = run.length - 1;
  for (; at >= 0; at -= 1) {
    const role = run[at]?.role;
    if (role?.case !== 'tool') break;
    results.set(role.value.callId, role.value);
  }
  const role = run[at]?.role;
  if (role?.case !== 'assistant') return undefined;
  const calls = callsOf(role.value);
  if (calls.length === 0) return undefined;
  checkCallIds(calls);
  return { calls, results, answeredAt: at + 1 };
}

/** Results find their calls by id, so every call needs a unique id. */
function checkCallIds(calls: readonly ToolCall[]): void {
  const seen = new Set<string>();
  for (const { callId, name } of calls) {
    if (callId === '') throw new BulkheadError('format_error', `the model's call of ${name} has no id`);
    if (seen.has(callId)) {
      throw new BulkheadError('format_error', `the model gave two calls the same id ${callId}`);
    }
    seen.add(callId);
  }
}
