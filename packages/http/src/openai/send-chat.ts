import type { ServerResponse } from 'node:http';
import type { BulkheadError, Timers } from '@bulkhead/protocol';
import { sendJson } from '../answer.ts';
import { apiErrorBody } from './api-error.ts';
import { type ChatHead, chatCall, chatChunk, chatCompletion, chatUsageChunk } from './chat-answer.ts';
import { collected } from './collected.ts';
import type { Conversation } from './converse.ts';
import { EventWriter } from './event-writer.ts';

/** The response and its parts for sending an answer. */
export interface Sending {
  readonly response: ServerResponse;
  readonly headers: Readonly<Record<string, string>>;
  readonly timers: Timers;
  /** Converts an error for the client; internal failures are logged. */
  publicError(error: unknown): BulkheadError;
}

/** Sends a complete chat completion. @throws BulkheadError if the run fails */
export async function sendChat(
  head: ChatHead,
  { answer, usage }: Conversation,
  { response, headers }: Sending,
): Promise<void> {
  const { text, end } = await collected(answer);
  sendJson(response, 200, chatCompletion(head, text, end, usage), headers);
}

/**
 * Streams the answer.
 *
 * @param includeUsage ends with a chunk that reports the usage
 * @throws BulkheadError if the run fails before anything was sent; after that, the error is the
 *   last event
 */
export async function streamChat(
  head: ChatHead,
  { answer, usage }: Conversation,
  includeUsage: boolean,
  { response, timers, headers, publicError }: Sending,
): Promise<void> {
  using events = new EventWriter(response, timers, headers);
  const withUsage = includeUsage ? { usage: null } : {};
  let role: Readonly<Record<string, string>> = { role: 'assistant' };
  const delta = async (
    fields: Readonly<Record<string, unknown>>,
    finish: Parameters<typeof chatChunk>[2] = null,
  ) => {
    await events.send({ ...chatChunk(head, { ...role, ...fields }, finish), ...withUsage });
    role = {};
  };
  try {
    let next = await answer.next();
    for (; next.done !== true; next = await answer.next()) await delta({ content: next.value });
    const { value: end } = next;
    if (end.finish === 'tool_calls') {
      for (const [index, call] of end.told.entries())
        await delta({ tool_calls: [{ index, ...chatCall(call) }] });
    }
    await delta({}, end.finish);
    if (includeUsage) await events.send(chatUsageChunk(head, usage));
    await events.send('[DONE]');
  } catch (error) {
    if (!events.hasBegun) throw error;
    await events.send(apiErrorBody(publicError(error)));
  } finally {
    // The client has left: its run ends, too.
    await answer.return({ finish: 'stop' });
  }
  events.end();
}
