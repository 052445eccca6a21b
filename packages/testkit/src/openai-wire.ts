import { argumentsOf, dataEvent, deltasOf, halves } from './event-text.ts';
import type { RenderedReply } from './rendered-reply.ts';
import type { ScriptedReply, ScriptedToolCall, ScriptedUsage } from './script.ts';

const DEFAULT_USAGE: ScriptedUsage = { input: 10, output: 5 };

/**
 * Renders a reply as OpenAI chat completion chunks:
 * https://platform.openai.com/docs/api-reference/chat-streaming
 */
export function renderOpenAIReply(reply: ScriptedReply, model: string): RenderedReply {
  const head = { id: 'chatcmpl-scripted', object: 'chat.completion.chunk', created: 1_700_000_000, model };
  const delta = (fields: object): string =>
    dataEvent({ ...head, choices: [{ index: 0, delta: fields, finish_reason: null }] });

  const chunks = [delta({ role: 'assistant', content: '' })];
  for (const text of deltasOf(reply.thinking)) chunks.push(delta({ reasoning_content: text }));
  for (const text of deltasOf(reply.text)) chunks.push(delta({ content: text }));
  const repeatAt = chunks.length;
  for (const fields of toolCallDeltas(reply.toolCalls ?? [])) chunks.push(delta(fields));

  const stop = reply.stopReason === undefined ? defaultStop(reply) : reply.stopReason;
  if (stop !== null) {
    chunks.push(dataEvent({ ...head, choices: [{ index: 0, delta: {}, finish_reason: stop }] }));
  }
  if (reply.usage !== null) chunks.push(dataEvent({ ...head, choices: [], usage: usageOf(reply) }));
  if (stop !== null) chunks.push('data: [DONE]\n\n');
  return {
    chunks,
    repeatAt,
    repeated: reply.repeat === undefined ? '' : delta({ content: reply.repeat.text }),
  };
}

function defaultStop(reply: ScriptedReply): string {
  return reply.toolCalls === undefined ? 'stop' : 'tool_calls';
}

function toolCallDeltas(calls: readonly ScriptedToolCall[]): readonly object[] {
  return calls.flatMap((call, index) => {
    const id = call.id ?? `call_${index + 1}`;
    const start = { index, id, type: 'function', function: { name: call.name, arguments: '' } };
    const pieces = halves(argumentsOf(call)).map((text) => ({ index, function: { arguments: text } }));
    return [start, ...pieces].map((entry) => ({ tool_calls: [entry] }));
  });
}

function usageOf(reply: ScriptedReply): object {
  const usage = reply.usage ?? DEFAULT_USAGE;
  const input = usage.input ?? 0;
  const output = usage.output ?? 0;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
}
