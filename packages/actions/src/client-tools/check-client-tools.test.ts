import { describe, expect, it } from 'vitest';
import { checkClientTools } from './check-client-tools.ts';

const tool = (name: string, inputSchemaJson = '', description = '') => ({
  name,
  description,
  inputSchemaJson,
});

describe('client tools of a message', () => {
  it('may be named as programs name them, also as tools of ours [I4]', () => {
    expect(() =>
      checkClientTools([tool('getWeather', '{"type":"object"}'), tool('read'), tool('a-b_9', '{}')]),
    ).not.toThrow();
  });

  it.each([
    ['a name that no provider takes', [tool('get weather')], 'no name'],
    ['no name', [tool('')], 'no name'],
    ['a name that is too long', [tool('a'.repeat(58))], 'no name'],
    ['a name twice', [tool('a'), tool('b'), tool('a')], 'two client tools'],
    ['a schema that is no JSON', [tool('a', '{')], 'is no JSON object'],
    ['a schema of a text', [tool('a', '{"type":"string"}')], 'is not of type object'],
    ['a schema that is a list', [tool('a', '[]')], 'is no JSON object'],
    ['a monstrous schema', [tool('a', `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`)], 'nested deeper'],
    ['a long description', [tool('a', '', 'x'.repeat(5_000))], 'longer than 4096'],
    ['half a character', [tool('a', '', '\ud800')], 'no text'],
    ['too many', Array.from({ length: 129 }, (_, i) => tool(`t${i}`)), 'more than 128'],
    [
      'too much together',
      Array.from({ length: 40 }, (_, i) => tool(`t${i}`, '', 'x'.repeat(4_000))),
      'together',
    ],
  ])('are refused with %s [I4] [FT46]', (_what, tools, words) => {
    expect(() => checkClientTools(tools)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(words) }),
    );
  });
});
