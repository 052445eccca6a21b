import { argumentValue, dataEvent, deltasOf } from './event-text.ts';
import type { RenderedReply } from './rendered-reply.ts';
import type { ScriptedReply, ScriptedUsage } from './script.ts';

const DEFAULT_USAGE: ScriptedUsage = { input: 10, output: 5 };

/**
 * Renders a reply as Gemini's `streamGenerateContent?alt=sse`:
 * https://ai.google.dev/api/generate-content
 */
export function renderGoogleReply(reply: ScriptedReply, model: string): RenderedReply {
  const usage = reply.usage === null ? {} : { usageMetadata: usageOf(reply.usage ?? DEFAULT_USAGE) };
  const head = { modelVersion: model, responseId: 'scripted', ...usage };
  const chunk = (part: object): string =>
    dataEvent({ candidates: [{ content: { parts: [part], role: 'model' }, index: 0 }], ...head });

  const chunks = deltasOf(reply.thinking).map((text) => chunk({ text, thought: true }));
  for (const text of deltasOf(reply.text)) chunks.push(chunk({ text }));
  const repeatAt = chunks.length;
  for (const part of callParts(reply)) chunks.push(chunk(part));

  const stop = reply.stopReason === undefined ? 'STOP' : reply.stopReason;
  if (stop !== null) {
    const signed = reply.toolCalls === undefined && reply.signature !== undefined;
    const last = signed ? { text: '', thoughtSignature: reply.signature } : { text: '' };
    const content = { parts: [last], role: 'model' };
    chunks.push(dataEvent({ candidates: [{ content, finishReason: stop, index: 0 }], ...head }));
  }
  return {
    chunks,
    repeatAt,
    repeated: reply.repeat === undefined ? '' : chunk({ text: reply.repeat.text }),
  };
}

/** Calls arrive whole here; the first one carries the signature. */
function callParts(reply: ScriptedReply): readonly object[] {
  return (reply.toolCalls ?? []).map((call, index) => ({
    functionCall: { id: call.id ?? `call_${index + 1}`, name: call.name, args: argumentValue(call) },
    ...(index === 0 && reply.signature !== undefined ? { thoughtSignature: reply.signature } : {}),
  }));
}

/** Thoughts are counted separately from the candidates here. */
function usageOf(usage: ScriptedUsage): object {
  const input = usage.input ?? 0;
  const output = usage.output ?? 0;
  const reasoning = usage.reasoning ?? 0;
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - reasoning,
    totalTokenCount: input + output,
    cachedContentTokenCount: usage.cached ?? 0,
    thoughtsTokenCount: reasoning,
  };
}
