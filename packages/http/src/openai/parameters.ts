import { invalidRequest } from './api-error.ts';
import type { Fields } from './field-reader.ts';

/** How to treat a parameter that is not part of the conversation. */
type Fate =
  /** Accepted without effect: the owner's configuration decides, or it changes nothing. */
  | 'ignored'
  /** Refused, unless it has one of these values, which request nothing. */
  | readonly unknown[];

export interface ParameterTable {
  /** Parameters that other code reads. */
  readonly read: readonly string[];
  readonly others: Readonly<Record<string, Fate>>;
}

export const CHAT_PARAMETERS: ParameterTable = {
  read: [
    'model',
    'messages',
    'stream',
    'stream_options',
    'tools',
    'tool_choice',
    'parallel_tool_calls',
    'user',
    'stop',
  ],
  others: {
    temperature: 'ignored',
    top_p: 'ignored',
    max_tokens: 'ignored',
    max_completion_tokens: 'ignored',
    presence_penalty: 'ignored',
    frequency_penalty: 'ignored',
    seed: 'ignored',
    reasoning_effort: 'ignored',
    verbosity: 'ignored',
    service_tier: 'ignored',
    metadata: 'ignored',
    store: 'ignored',
    prediction: 'ignored',
    safety_identifier: 'ignored',
    prompt_cache_key: 'ignored',
    prompt_cache_retention: 'ignored',
    n: [1],
    logprobs: [false],
    top_logprobs: [0],
    logit_bias: [{}],
    response_format: [{ type: 'text' }],
    modalities: [['text']],
    audio: [],
    functions: [[]],
    function_call: ['none'],
    web_search_options: [],
  },
};

export const RESPONSES_PARAMETERS: ParameterTable = {
  read: [
    'model',
    'input',
    'instructions',
    'stream',
    'tools',
    'tool_choice',
    'parallel_tool_calls',
    'user',
    'previous_response_id',
    'store',
  ],
  others: {
    temperature: 'ignored',
    top_p: 'ignored',
    max_output_tokens: 'ignored',
    reasoning: 'ignored',
    service_tier: 'ignored',
    metadata: 'ignored',
    include: 'ignored',
    truncation: 'ignored',
    stream_options: 'ignored',
    safety_identifier: 'ignored',
    prompt_cache_key: 'ignored',
    prompt_cache_retention: 'ignored',
    background: [false],
    conversation: [],
    prompt: [],
    max_tool_calls: [],
    top_logprobs: [0],
    text: [
      {},
      { format: { type: 'text' } },
      { verbosity: 'low' },
      { verbosity: 'medium' },
      { verbosity: 'high' },
    ],
  },
};

/**
 * @returns names of the given parameters without effect
 * @throws BulkheadError `usage` (400) for an unknown parameter, or one that requests the
 *   impossible
 */
export function checkParameters(fields: Fields, { read, others }: ParameterTable): readonly string[] {
  return fields.names.filter((name) => {
    if (read.includes(name) || fields.value(name) === undefined) return false;
    const fate = Object.hasOwn(others, name) ? others[name] : undefined;
    if (fate === 'ignored') return true;
    if (fate === undefined) {
      throw invalidRequest(
        `there is no parameter ${JSON.stringify(name.slice(0, 60))}`,
        name,
        'unknown_parameter',
      );
    }
    const text = JSON.stringify(fields.value(name));
    if (fate.some((harmless) => JSON.stringify(harmless) === text)) return false;
    throw invalidRequest(
      `${name} can't be served here with this value: leave it out`,
      name,
      'unsupported_parameter',
    );
  });
}
