import { BulkheadError, type SessionEvent } from '@bulkhead/protocol';
import type { EngineLink } from '../engine-link.ts';
import { runEvents } from '../run-events.ts';
import type { ClientTool } from './client-tool.ts';

type ClientCall = Extract<SessionEvent, { type: 'client_call' }>;

/** The message whose calls are answered. */
interface CallParts {
  readonly link: EngineLink;
  readonly life: AbortSignal;
  readonly sessionId: string;
  readonly messageId: string;
  /** Number of the last event before its own. */
  readonly afterSeq: number;
  /** Calls up to this `seq` were published before this program listened. */
  readonly heardFrom: number;
  readonly tools: readonly ClientTool[];
  /**
   * Calls that this program has begun to answer: a message that joins another's run receives the
   * same ones.
   */
  readonly taken: Set<string>;
}

/**
 * Answers the calls of a message's tools until it is settled, each once. Never rejects: if the
 * engine is gone, the waiting reader of the run gets the error.
 */
export async function answerCalls(parts: CallParts): Promise<void> {
  const { link, life, sessionId, messageId, afterSeq } = parts;
  const underWay = new Map<string, AbortController>();
  try {
    const lines = link.watch(sessionId, afterSeq, life, () => {});
    for await (const { event } of runEvents(lines, messageId)) {
      if (event?.type === 'client_call') void answer(parts, event, underWay);
      else if (event?.type === 'action_completed') underWay.get(event.call)?.abort();
    }
  } catch {
    // The reader of the run gets the same failure.
  } finally {
    for (const stop of underWay.values()) stop.abort();
  }
}

async function answer(
  parts: CallParts,
  call: ClientCall,
  underWay: Map<string, AbortController>,
): Promise<void> {
  const { link, life, sessionId, taken } = parts;
  const name = `${sessionId} ${call.call}`;
  if (taken.has(name)) return;
  taken.add(name);
  const stop = new AbortController();
  underWay.set(call.call, stop);
  try {
    const result = await resultOf(parts, call, AbortSignal.any([stop.signal, life]));
    const request = { sessionId, callId: call.call, ...result };
    // If it was answered already, or no one waits, another answer has no effect.
    await link.repeat((client) => client.call('submitToolResult', request, life), life);
  } catch {
    // The engine is gone or this program leaves: the call times out, or is closed with an unknown
    // outcome.
  } finally {
    underWay.delete(call.call);
  }
}

async function resultOf(
  { tools, heardFrom }: CallParts,
  call: ClientCall,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) return { text: `this program has no tool ${call.name}`, isError: true };
  if (call.seq <= heardFrom) {
    return {
      text: 'the program was disconnected when it was called: the outcome is unknown',
      isError: true,
    };
  }
  try {
    return { text: await tool.run(call.arguments, signal), isError: false };
  } catch (cause) {
    return { text: BulkheadError.from(cause).message || `${call.name} failed`, isError: true };
  }
}
