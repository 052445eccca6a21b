import { argumentValue, deltasOf, jsonLine } from './event-text.ts';
import type { RenderedReply } from './rendered-reply.ts';
import type { ScriptedReply, ScriptedUsage } from './script.ts';

const DEFAULT_USAGE: ScriptedUsage = { input: 10, output: 5 };

/**
 * Renders a reply as lines of Ollama's `/api/chat`: https://docs.ollama.com/api/chat. Cached and
 * reasoning tokens can't be reported there.
 */
export function renderOllamaReply(reply: ScriptedReply, model: string): RenderedReply {
  const head = { model, created_at: '2026-01-01T00:00:00.000000Z' };
  const line = (fields: object): string =>
    jsonLine({ ...head, message: { role: 'assistant', content: '', ...fields }, done: false });

  const chunks = deltasOf(reply.thinking).map((thinking) => line({ thinking }));
  for (const content of deltasOf(reply.text)) chunks.push(line({ content }));
  const repeatAt = chunks.length;
  for (const [index, call] of (reply.toolCalls ?? []).entries()) {
    const id = call.id ?? `call_${index + 1}`;
    const made = { index, name: call.name, arguments: argumentValue(call) };
    chunks.push(line({ tool_calls: [{ id, function: made }] }));
  }

  const stop = reply.stopReason === undefined ? 'stop' : reply.stopReason;
  if (stop !== null) {
    const message = { role: 'assistant', content: '' };
    const usage = reply.usage === null ? {} : countsOf(reply.usage ?? DEFAULT_USAGE);
    chunks.push(jsonLine({ ...head, message, done: true, done_reason: stop, ...usage }));
  }
  return {
    chunks,
    repeatAt,
    repeated: reply.repeat === undefined ? '' : line({ content: reply.repeat.text }),
  };
}

function countsOf(usage: ScriptedUsage): object {
  return {
    total_duration: 1,
    prompt_eval_count: usage.input ?? 0,
    eval_count: usage.output ?? 0,
  };
}
