import type { BulkheadError } from '@bulkhead/protocol';
import { sendJson } from '../answer.ts';
import { apiErrorBody } from './api-error.ts';
import { collected } from './collected.ts';
import type { Conversation } from './converse.ts';
import { EventWriter } from './event-writer.ts';
import type { WaitingCall } from './open-runs.ts';
import {
  callItem,
  finishedResponse,
  type ResponseHead,
  responseObject,
  textItem,
  textPart,
} from './responses-answer.ts';
import type { AnswerEnd } from './run-answer.ts';
import type { Sending } from './send-chat.ts';

type Item = ReturnType<typeof textItem>;

/** Sends a complete response. @throws BulkheadError if the run fails */
export async function sendResponse(
  head: ResponseHead,
  { answer, usage }: Conversation,
  { response, headers }: Sending,
): Promise<void> {
  const { text, end } = await collected(answer);
  const output = [
    ...(text === '' ? [] : [textItem(messageId(head), text)]),
    ...callsOf(end).map((call) => callItem(call)),
  ];
  sendJson(response, 200, finishedResponse(head, output, end, usage), headers);
}

/**
 * Streams the answer.
 *
 * @throws BulkheadError if the run fails before anything was sent; after that, the failure is the
 *   last event
 */
export async function streamResponse(
  head: ResponseHead,
  { answer, usage }: Conversation,
  { response, timers, headers, publicError }: Sending,
): Promise<void> {
  using events = new EventWriter(response, timers, headers);
  const stream = new ResponseStream(head, events);
  try {
    let next = await answer.next();
    for (; next.done !== true; next = await answer.next()) await stream.text(next.value);
    await stream.finish(next.value, usage);
  } catch (error) {
    if (!events.hasBegun) throw error;
    await stream.fail(publicError(error));
  } finally {
    await answer.return({ finish: 'stop' });
  }
  events.end();
}

/** The typed events of one response, in order, each with its number. */
class ResponseStream {
  readonly #head: ResponseHead;
  readonly #events: EventWriter;
  #number = 0;
  #text = '';
  #output: Item[] = [];
  #hasBegun = false;

  constructor(head: ResponseHead, events: EventWriter) {
    this.#head = head;
    this.#events = events;
  }

  async text(delta: string): Promise<void> {
    await this.#begin();
    const item_id = messageId(this.#head);
    if (this.#text === '') {
      await this.#emit('response.output_item.added', {
        output_index: 0,
        item: textItem(item_id, '', 'in_progress'),
      });
      await this.#emit('response.content_part.added', {
        item_id,
        output_index: 0,
        content_index: 0,
        part: textPart(''),
      });
    }
    this.#text += delta;
    await this.#emit('response.output_text.delta', {
      item_id,
      output_index: 0,
      content_index: 0,
      delta,
      logprobs: [],
    });
  }

  async finish(end: AnswerEnd, usage: Conversation['usage']): Promise<void> {
    await this.#begin();
    await this.#endText();
    for (const call of callsOf(end)) await this.#call(call);
    const response = finishedResponse(this.#head, this.#output, end, usage);
    await this.#emit(`response.${response.status}`, { response });
  }

  async fail(error: BulkheadError): Promise<void> {
    const { code, message } = apiErrorBody(error).error;
    const response = responseObject(this.#head, 'failed', this.#output, { error: { code, message } });
    await this.#emit('response.failed', { response });
  }

  async #begin(): Promise<void> {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const response = responseObject(this.#head, 'in_progress', []);
    await this.#emit('response.created', { response });
    await this.#emit('response.in_progress', { response });
  }

  async #endText(): Promise<void> {
    if (this.#text === '') return;
    const [item_id, text] = [messageId(this.#head), this.#text];
    const place = { item_id, output_index: 0, content_index: 0 };
    await this.#emit('response.output_text.done', { ...place, text, logprobs: [] });
    await this.#emit('response.content_part.done', { ...place, part: textPart(text) });
    await this.#endItem(textItem(item_id, text));
  }

  async #call(call: WaitingCall): Promise<void> {
    const output_index = this.#output.length;
    const place = { item_id: `fc_${call.id}`, output_index };
    await this.#emit('response.output_item.added', { output_index, item: callItem(call, 'in_progress') });
    await this.#emit('response.function_call_arguments.delta', { ...place, delta: call.argumentsJson });
    await this.#emit('response.function_call_arguments.done', {
      ...place,
      name: call.name,
      arguments: call.argumentsJson,
    });
    await this.#endItem(callItem(call));
  }

  async #endItem(item: Item): Promise<void> {
    const output_index = this.#output.length;
    this.#output = [...this.#output, item];
    await this.#emit('response.output_item.done', { output_index, item });
  }

  async #emit(type: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
    const sequence_number = this.#number;
    this.#number += 1;
    await this.#events.send({ type, sequence_number, ...fields }, type);
  }
}

function callsOf(end: AnswerEnd): readonly WaitingCall[] {
  return end.finish === 'tool_calls' ? end.told : [];
}

function messageId({ id }: ResponseHead): string {
  return `msg_${id}`;
}
