import type { WaitingCall } from './open-runs.ts';
import type { AnswerEnd } from './run-answer.ts';
import type { RunFold } from './run-fold.ts';

/** The fields that every chunk of one `/v1/chat/completions` answer repeats. */
export interface ChatHead {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly model: string;
}

/** The complete answer. */
export function chatCompletion(head: ChatHead, text: string, end: AnswerEnd, usage: RunFold['usage']) {
  const calls = end.finish === 'tool_calls' ? end.told.map((call) => chatCall(call)) : [];
  const message = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: end.finish }],
    usage: chatUsage(usage),
  };
}

/** One chunk of a streamed answer. */
export function chatChunk(
  head: ChatHead,
  delta: Readonly<Record<string, unknown>>,
  finish: AnswerEnd['finish'] | null = null,
) {
  return {
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  };
}

/** The last chunk, if the usage was requested. */
export function chatUsageChunk(head: ChatHead, usage: RunFold['usage']) {
  return { ...head, object: 'chat.completion.chunk', choices: [], usage: chatUsage(usage) };
}

export function chatCall({ id, name, argumentsJson }: WaitingCall) {
  return { id, type: 'function', function: { name, arguments: argumentsJson } };
}

function chatUsage({ input, output, cached, reasoning }: RunFold['usage']) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
