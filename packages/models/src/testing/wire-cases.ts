/**
 * For this package's tests only: the differences between the providers' wires, so that one table of
 * cases covers all.
 */

export type Wire = 'anthropic' | 'openai' | 'google' | 'ollama' | 'openrouter' | 'openai-compatible';

export interface WireCase {
  readonly wire: Wire;
  /** The path between the server's address and the endpoint. */
  readonly basePath: string;
  /** Path of the requests. */
  readonly endpoint: string;
  /** Undefined if none is needed. */
  readonly key: { readonly variable: string; readonly header: string; readonly prefix: string } | undefined;
  /** Stop reasons in the wire's terms; undefined if it has none. */
  readonly stop: {
    readonly normal: string;
    readonly length: string;
    readonly filtered: string | undefined;
    /** Announces calls. */
    readonly calls: string | undefined;
  };
  /** Chunks up to and with the second text delta of an answer that is only text. */
  readonly chunksOfTwoDeltas: number;
  /** True if arguments arrive as the text that the model wrote. */
  readonly textArguments: boolean;
  /** True if cached and reasoning tokens are reported. */
  readonly detailedUsage: boolean;
  /** Data of a chunk that is JSON but unexpected from this provider. */
  readonly oddChunk: string;
  /** A chunk that reports an overloaded provider, and our error for it. */
  readonly errorChunk: { readonly body: object; readonly code: string };
}

const chat = {
  basePath: '/v1',
  endpoint: '/v1/chat/completions',
  stop: { normal: 'stop', length: 'length', filtered: 'content_filter', calls: 'tool_calls' },
  chunksOfTwoDeltas: 3,
  textArguments: true,
  detailedUsage: true,
  oddChunk: '{"choices":"?"}',
} as const;

export const WIRE_CASES: readonly WireCase[] = [
  {
    ...chat,
    wire: 'openai-compatible',
    key: { variable: 'OPENAI_API_KEY', header: 'authorization', prefix: 'Bearer ' },
    errorChunk: {
      body: { error: { message: 'Overloaded', type: 'overloaded_error', code: null } },
      code: 'overloaded',
    },
  },
  {
    ...chat,
    wire: 'openrouter',
    key: { variable: 'OPENROUTER_API_KEY', header: 'authorization', prefix: 'Bearer ' },
    errorChunk: {
      body: {
        id: 'gen-1',
        object: 'chat.completion.chunk',
        error: { code: 503, message: 'Overloaded' },
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
      },
      code: 'overloaded',
    },
  },
  {
    wire: 'anthropic',
    basePath: '/v1',
    endpoint: '/v1/messages',
    key: { variable: 'ANTHROPIC_API_KEY', header: 'x-api-key', prefix: '' },
    stop: { normal: 'end_turn', length: 'max_tokens', filtered: 'refusal', calls: 'tool_use' },
    chunksOfTwoDeltas: 5,
    textArguments: true,
    detailedUsage: true,
    oddChunk: '{"type":"content_block_delta","delta":"?"}',
    errorChunk: {
      body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      code: 'overloaded',
    },
  },
  {
    wire: 'openai',
    basePath: '/v1',
    endpoint: '/v1/responses',
    key: { variable: 'OPENAI_API_KEY', header: 'authorization', prefix: 'Bearer ' },
    stop: { normal: 'completed', length: 'max_output_tokens', filtered: 'content_filter', calls: undefined },
    chunksOfTwoDeltas: 6,
    textArguments: true,
    detailedUsage: true,
    oddChunk: '{"type":"response.output_text.delta","delta":5}',
    errorChunk: {
      body: {
        type: 'error',
        code: 'server_is_overloaded',
        message: 'Overloaded',
        param: null,
        sequence_number: 9,
      },
      code: 'overloaded',
    },
  },
  {
    wire: 'google',
    basePath: '/v1beta',
    endpoint: '/v1beta/models/test-model:streamGenerateContent?alt=sse',
    key: { variable: 'GEMINI_API_KEY', header: 'x-goog-api-key', prefix: '' },
    stop: { normal: 'STOP', length: 'MAX_TOKENS', filtered: 'SAFETY', calls: undefined },
    chunksOfTwoDeltas: 2,
    textArguments: false,
    detailedUsage: true,
    oddChunk: '{"candidates":"?"}',
    errorChunk: {
      body: { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } },
      code: 'overloaded',
    },
  },
  {
    wire: 'ollama',
    basePath: '',
    endpoint: '/api/chat',
    key: undefined,
    stop: { normal: 'stop', length: 'length', filtered: undefined, calls: undefined },
    chunksOfTwoDeltas: 2,
    textArguments: false,
    detailedUsage: false,
    oddChunk: '{"message":"?","done":false}',
    errorChunk: { body: { error: 'Overloaded' }, code: 'server_error' },
  },
];

export function wireCase(wire: Wire): WireCase {
  const found = WIRE_CASES.find((entry) => entry.wire === wire);
  if (found === undefined) throw new Error(`no case for ${wire}`);
  return found;
}
