import type { WaitingCall } from './open-runs.ts';
import type { AnswerEnd } from './run-answer.ts';
import type { RunFold } from './run-fold.ts';

/** The fields that one `/v1/responses` answer has from its beginning. */
export interface ResponseHead {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly createdAt: number;
  readonly model: string;
  readonly previous: string | undefined;
  readonly store: boolean;
  readonly oneCall: boolean;
}

type Item = Readonly<Record<string, unknown>>;

/** The answer in its current state: `output` holds the finished items. */
export function responseObject(
  { id, createdAt, model, previous, store, oneCall }: ResponseHead,
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed',
  output: readonly Item[],
  more: Readonly<Record<string, unknown>> = {},
) {
  return {
    id,
    object: 'response',
    created_at: createdAt,
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    model,
    output,
    parallel_tool_calls: !oneCall,
    previous_response_id: previous ?? null,
    reasoning: { effort: null, summary: null },
    store,
    temperature: null,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    truncation: 'disabled',
    usage: null,
    user: null,
    ...more,
  };
}

/** The final state of a finished answer. */
export function finishedResponse(
  head: ResponseHead,
  output: readonly Item[],
  end: AnswerEnd,
  usage: RunFold['usage'],
) {
  const reason =
    end.finish === 'length'
      ? 'max_output_tokens'
      : end.finish === 'content_filter'
        ? 'content_filter'
        : undefined;
  const status = reason === undefined ? 'completed' : 'incomplete';
  return responseObject(head, status, output, {
    ...(reason === undefined ? {} : { incomplete_details: { reason } }),
    usage: responseUsage(usage),
  });
}

export function textItem(id: string, text: string, status: 'in_progress' | 'completed' = 'completed'): Item {
  const content = status === 'in_progress' ? [] : [textPart(text)];
  return { id, type: 'message', status, role: 'assistant', content };
}

export function textPart(text: string): Item {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

export function callItem(
  { id, name, argumentsJson }: WaitingCall,
  status: 'in_progress' | 'completed' = 'completed',
): Item {
  const given = status === 'in_progress' ? '' : argumentsJson;
  return { id: `fc_${id}`, type: 'function_call', status, call_id: id, name, arguments: given };
}

function responseUsage({ input, output, cached, reasoning }: RunFold['usage']) {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
