import { argumentsOf, deltasOf, halves, typedEvent } from './event-text.ts';
import type { RenderedReply } from './rendered-reply.ts';
import type { ScriptedReply, ScriptedUsage } from './script.ts';

const DEFAULT_USAGE: ScriptedUsage = { input: 10, output: 5 };

/**
 * Renders a reply as events of the Messages API:
 * https://docs.anthropic.com/en/api/messages-streaming
 */
export function renderAnthropicReply(reply: ScriptedReply, model: string): RenderedReply {
  const usage = reply.usage ?? DEFAULT_USAGE;
  const chunks = [messageStart(model, usage), typedEvent({ type: 'ping' })];
  let index = 0;
  const block = (start: object, deltas: readonly object[]): void => {
    chunks.push(typedEvent({ type: 'content_block_start', index, content_block: start }));
    for (const delta of deltas) chunks.push(typedEvent({ type: 'content_block_delta', index, delta }));
    chunks.push(typedEvent({ type: 'content_block_stop', index }));
    index += 1;
  };

  if (reply.redactedThinking !== undefined) {
    block({ type: 'redacted_thinking', data: reply.redactedThinking }, []);
  }
  if (reply.thinking !== undefined) block(...thinkingBlock(reply));
  let repeatAt = chunks.length;
  let repeated = '';
  if (reply.text !== undefined || reply.repeat !== undefined) {
    repeated =
      reply.repeat === undefined
        ? ''
        : typedEvent({ type: 'content_block_delta', index, delta: textDelta(reply.repeat.text) });
    block({ type: 'text', text: '' }, deltasOf(reply.text).map(textDelta));
    repeatAt = chunks.length - 1;
  }
  for (const [position, call] of (reply.toolCalls ?? []).entries()) {
    const id = call.id ?? `call_${position + 1}`;
    block(
      { type: 'tool_use', id, name: call.name, input: {} },
      halves(argumentsOf(call)).map((text) => ({ type: 'input_json_delta', partial_json: text })),
    );
  }

  const stop = reply.stopReason === undefined ? defaultStop(reply) : reply.stopReason;
  if (stop !== null) {
    chunks.push(
      typedEvent({
        type: 'message_delta',
        delta: { stop_reason: stop, stop_sequence: null },
        usage: outputUsage(usage),
      }),
      typedEvent({ type: 'message_stop' }),
    );
  }
  return { chunks, repeatAt, repeated };
}

function textDelta(text: string): object {
  return { type: 'text_delta', text };
}

function thinkingBlock(reply: ScriptedReply): [object, readonly object[]] {
  const deltas: object[] = deltasOf(reply.thinking).map((thinking) => ({ type: 'thinking_delta', thinking }));
  if (reply.signature !== undefined) deltas.push({ type: 'signature_delta', signature: reply.signature });
  return [{ type: 'thinking', thinking: '', signature: '' }, deltas];
}

function defaultStop(reply: ScriptedReply): string {
  return reply.toolCalls === undefined ? 'end_turn' : 'tool_use';
}

function outputUsage(usage: ScriptedUsage): object {
  const reasoning =
    usage.reasoning === undefined ? {} : { output_tokens_details: { thinking_tokens: usage.reasoning } };
  return { output_tokens: usage.output ?? 0, ...reasoning };
}

function messageStart(model: string, usage: ScriptedUsage): string {
  const cached = usage.cached ?? 0;
  return typedEvent({
    type: 'message_start',
    message: {
      id: 'msg_scripted',
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: (usage.input ?? 0) - cached,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: cached,
        output_tokens: 1,
      },
    },
  });
}
