import { describe, expect, it } from 'vitest';
import { apiErrorBody } from './api-error.ts';
import { readChatRequest } from './read-chat-request.ts';
import { readResponsesRequest } from './read-responses-request.ts';

const USER = { role: 'user', content: 'hi' };
const chat = (fields: object) => ({ model: 'bulkhead', messages: [USER], ...fields });
const respond = (fields: object) => ({ model: 'bulkhead', input: 'hi', ...fields });

/** Place and code of the error. */
function refusal(read: () => unknown): readonly [param: string | null, code: string | null] {
  try {
    read();
  } catch (error) {
    const { param, code } = apiErrorBody(error).error;
    return [param, code];
  }
  throw new Error('it was not refused');
}

describe('a chat request', () => {
  it.each([
    [null, null],
    [[], null],
    [{}, 'model'],
    [{ model: 'm' }, 'messages'],
    [{ model: 7, messages: [] }, 'model'],
    [chat({ messages: 'hi' }), 'messages'],
    [chat({ messages: [7] }), 'messages[0]'],
    [chat({ messages: [{}] }), 'messages[0].role'],
    [chat({ messages: [{ role: 'root', content: '' }] }), 'messages[0].role'],
    [chat({ messages: [{ role: 'user', content: 7 }] }), 'messages[0].content'],
    [chat({ messages: [{ role: 'user', content: [{ type: 'video' }] }] }), 'messages[0].content[0].type'],
    [
      chat({ messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] }),
      'messages[0].content[0].type',
    ],
    [chat({ messages: [{ role: 'tool', content: 'x' }] }), 'messages[0].tool_call_id'],
    [
      chat({ messages: [{ role: 'assistant', tool_calls: [{ id: 'a' }] }] }),
      'messages[0].tool_calls[0].function',
    ],
    [chat({ messages: [{ role: 'user', content: '\ud800' }] }), 'messages[0].content'],
    [chat({ stream: 'yes' }), 'stream'],
    [chat({ tools: [{ type: 'web_search' }] }), 'tools[0].type'],
    [chat({ tools: [{ type: 'function' }] }), 'tools[0].function'],
    [
      chat({ tools: [{ type: 'function', function: { name: 'a', parameters: [] } }] }),
      'tools[0].function.parameters',
    ],
    [chat({ tool_choice: 'required' }), 'tool_choice'],
    [chat({ tool_choice: { type: 'function', function: { name: 'a' } } }), 'tool_choice'],
  ])('is refused with its place: %j [I4] [FT46]', (body, param) => {
    expect(refusal(() => readChatRequest(body))[0]).toBe(param);
  });

  it('may not fetch an image from anywhere [I4]', () => {
    const content = [{ type: 'image_url', image_url: { url: 'http://169.254.169.254/x.png' } }];
    const read = () => readChatRequest(chat({ messages: [{ role: 'user', content }] }));
    expect(refusal(read)).toEqual(['messages[0].content[0].image_url.url', 'invalid_image_url']);
  });

  it.each([
    ['n', 2],
    ['logprobs', true],
    ['response_format', { type: 'json_schema', json_schema: { name: 'a' } }],
    ['response_format', { type: 'json_object' }],
    ['modalities', ['text', 'audio']],
    ['functions', [{ name: 'a' }]],
    ['logit_bias', { 5: 1 }],
    ['web_search_options', {}],
  ])('may not ask for %s %j, which would be something else [I4]', (name, value) => {
    expect(refusal(() => readChatRequest(chat({ [name]: value })))).toEqual([name, 'unsupported_parameter']);
  });

  it('reads texts that end the answer: one, or up to four [I4]', () => {
    const stop = (value: unknown) => readChatRequest(chat({ stop: value })).stop;
    expect([stop('END'), stop(['a', '']), stop(null), stop('')]).toEqual([['END'], ['a'], [], []]);
    for (const wrong of [['a', 'b', 'c', 'd', 'e'], [1], { a: 1 }, 'x'.repeat(1_001)])
      expect(refusal(() => readChatRequest(chat({ stop: wrong })))).toEqual(['stop', 'invalid_value']);
  });

  it('may not have an unknown parameter [I4]', () => {
    expect(refusal(() => readChatRequest(chat({ num_ctx: 1 })))).toEqual(['num_ctx', 'unknown_parameter']);
    expect(refusal(() => readChatRequest(JSON.parse('{"model":"m","messages":[],"__proto__":{}}')))).toEqual([
      '__proto__',
      'unknown_parameter',
    ]);
  });

  it('says which parameters make no difference, and may say what asks for nothing [I4]', () => {
    const harmless = { n: 1, stop: null, logprobs: false, response_format: { type: 'text' }, functions: [] };
    const asked = readChatRequest(chat({ ...harmless, temperature: 1, max_tokens: 9, seed: null }));
    expect(asked.ignored).toEqual(['temperature', 'max_tokens']);
  });

  it('is read with images, calls, results and tools [I4]', () => {
    const asked = readChatRequest({
      model: 'bulkhead',
      user: 'u',
      parallel_tool_calls: false,
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'be kind' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAEC', detail: 'low' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'done' },
      ],
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' }, strict: true } }],
    });
    expect(asked).toMatchObject({
      user: 'u',
      oneCall: true,
      items: [
        { kind: 'instructions', text: 'be kind' },
        { kind: 'user', text: 'look', images: [{ mediaType: 'image/png', data: Buffer.from([0, 1, 2]) }] },
        { kind: 'assistant', text: '', calls: [{ id: 'c', name: 'f', argumentsJson: '{"a":1}' }] },
        { kind: 'result', id: 'c', text: 'done' },
      ],
      tools: [{ name: 'f', description: '', inputSchemaJson: '{"type":"object"}' }],
    });
    const none = readChatRequest(
      chat({ tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: 'none' }),
    );
    expect(none.tools).toEqual([]);
  });
});

describe('a responses request', () => {
  it.each([
    [{ model: 'm' }, 'input'],
    [respond({ input: [7] }), 'input[0]'],
    [respond({ input: [{ type: 'item_reference', id: 'x' }] }), 'input[0].type'],
    [respond({ input: [{ role: 'root', content: 'x' }] }), 'input[0].role'],
    [respond({ input: [{ type: 'function_call_output', output: 'x' }] }), 'input[0].call_id'],
    [respond({ input: [{ role: 'user', content: [{ type: 'input_file' }] }] }), 'input[0].content[0].type'],
    [
      respond({ input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'x' }] }] }),
      'input[0].content[0].image_url',
    ],
    [respond({ background: true }), 'background'],
    [respond({ conversation: 'c' }), 'conversation'],
    [respond({ text: { format: { type: 'json_object' } } }), 'text'],
    [respond({ max_tool_calls: 1 }), 'max_tool_calls'],
    [respond({ messages: [] }), 'messages'],
  ])('is refused with its place: %j [I4] [FT46]', (body, param) => {
    expect(refusal(() => readResponsesRequest(body))[0]).toBe(param);
  });

  it('is read as the same conversation [I4]', () => {
    const asked = readResponsesRequest({
      model: 'bulkhead',
      instructions: 'be kind',
      store: false,
      text: { format: { type: 'text' } },
      reasoning: { effort: 'low' },
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'look' }] },
        { type: 'reasoning', id: 'r', summary: [] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look' }] },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'done' }] },
      ],
      tools: [{ type: 'function', name: 'f', parameters: null, strict: false }],
    });
    expect(asked).toMatchObject({
      store: false,
      ignored: ['reasoning'],
      items: [
        { kind: 'instructions', text: 'be kind' },
        { kind: 'user', text: 'look' },
        { kind: 'assistant', text: 'I look', calls: [] },
        { kind: 'assistant', text: '', calls: [{ id: 'c', name: 'f', argumentsJson: '{}' }] },
        { kind: 'result', id: 'c', text: 'done' },
      ],
      tools: [{ name: 'f', inputSchemaJson: '' }],
    });
  });
});
