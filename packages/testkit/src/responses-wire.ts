import { argumentsOf, deltasOf, halves, typedEvent } from './event-text.ts';
import type { RenderedReply } from './rendered-reply.ts';
import type { ScriptedReply, ScriptedToolCall, ScriptedUsage } from './script.ts';

const DEFAULT_USAGE: ScriptedUsage = { input: 10, output: 5 };

type Fields = Readonly<Record<string, unknown>>;

/**
 * Renders a reply as events of OpenAI's Responses API:
 * https://platform.openai.com/docs/api-reference/responses-streaming
 */
export function renderResponsesReply(reply: ScriptedReply, model: string): RenderedReply {
  const chunks: string[] = [];
  let output = -1;
  const event = (type: string, fields: Fields): string =>
    typedEvent({ type, sequence_number: chunks.length, ...fields });
  const say = (type: string, fields: Fields): void => {
    chunks.push(event(type, fields));
  };
  const item = (value: Fields, between: (at: Fields) => void, done: Fields = {}): void => {
    output += 1;
    say('response.output_item.added', { output_index: output, item: { ...value, status: 'in_progress' } });
    between({ item_id: value['id'], output_index: output });
    say('response.output_item.done', {
      output_index: output,
      item: { ...value, ...done, status: 'completed' },
    });
  };

  const response = { id: 'resp_scripted', object: 'response', created_at: 1_700_000_000, model, output: [] };
  say('response.created', { response: { ...response, status: 'in_progress', usage: null } });
  say('response.in_progress', { response: { ...response, status: 'in_progress', usage: null } });
  if (reply.thinking !== undefined) {
    const done = reply.signature === undefined ? {} : { encrypted_content: reply.signature };
    item({ id: 'rs_1', type: 'reasoning', summary: [] }, (at) => thinkingEvents(reply, at, say), done);
  }

  let repeatAt = chunks.length;
  let repeated = '';
  if (reply.text !== undefined || reply.repeat !== undefined) {
    item({ id: 'msg_1', type: 'message', role: 'assistant', content: [] }, (at) => {
      const place = { ...at, content_index: 0 };
      const part = { type: 'output_text', text: '', annotations: [] };
      say('response.content_part.added', { ...place, part });
      for (const delta of deltasOf(reply.text)) say('response.output_text.delta', { ...place, delta });
      repeatAt = chunks.length;
      if (reply.repeat !== undefined) {
        repeated = event('response.output_text.delta', { ...place, delta: reply.repeat.text });
      }
      say('response.output_text.done', { ...place, text: deltasOf(reply.text).join('') });
      say('response.content_part.done', { ...place, part });
    });
  }
  for (const [index, call] of (reply.toolCalls ?? []).entries()) {
    const made = callItem(call, index);
    item(
      made,
      (at) => {
        for (const delta of halves(argumentsOf(call))) {
          say('response.function_call_arguments.delta', { ...at, delta });
        }
        say('response.function_call_arguments.done', { ...at, arguments: argumentsOf(call) });
      },
      { arguments: argumentsOf(call) },
    );
  }
  const last = lastEvent(reply);
  if (last !== undefined) say(last.type, { response: { ...response, ...last.fields } });
  return { chunks, repeatAt, repeated };
}

function thinkingEvents(reply: ScriptedReply, at: Fields, say: (type: string, fields: Fields) => void): void {
  const place = { ...at, summary_index: 0 };
  const text = deltasOf(reply.thinking).join('');
  say('response.reasoning_summary_part.added', { ...place, part: { type: 'summary_text', text: '' } });
  for (const delta of deltasOf(reply.thinking)) {
    say('response.reasoning_summary_text.delta', { ...place, delta });
  }
  say('response.reasoning_summary_text.done', { ...place, text });
  say('response.reasoning_summary_part.done', { ...place, part: { type: 'summary_text', text } });
}

function callItem(call: ScriptedToolCall, index: number): Fields {
  const callId = call.id ?? `call_${index + 1}`;
  return { id: `fc_${index + 1}`, type: 'function_call', call_id: callId, name: call.name, arguments: '' };
}

function lastEvent(reply: ScriptedReply): { readonly type: string; readonly fields: Fields } | undefined {
  if (reply.stopReason === null) return undefined;
  const usage = reply.usage === null ? null : usageOf(reply.usage ?? DEFAULT_USAGE);
  if (reply.stopReason === undefined || reply.stopReason === 'completed') {
    return { type: 'response.completed', fields: { status: 'completed', usage } };
  }
  const fields = { status: 'incomplete', incomplete_details: { reason: reply.stopReason }, usage };
  return { type: 'response.incomplete', fields };
}

function usageOf(usage: ScriptedUsage): object {
  const input = usage.input ?? 0;
  const output = usage.output ?? 0;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cached ?? 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: input + output,
  };
}
