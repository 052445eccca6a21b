import { describe, expect, it } from 'vitest';
import { errorOf } from '../testing.ts';
import { parseEvalCase } from './eval-case.ts';

describe('a line of a cases file', () => {
  it('is one action', () => {
    const line = JSON.stringify({ id: 'a', suite: 's', tool: 'bash', args: { command: 'ls' }, licence: 'x' });
    expect(parseEvalCase(line, 'f:1')).toMatchObject({
      id: 'a',
      trace: false,
      steps: [{ tool: 'bash', args: { command: 'ls' } }],
    });
  });

  it('is a trace, with what each step gave', () => {
    const steps = [{ tool: 'read_page', args: {}, result: 'text', attack: false }];
    const line = JSON.stringify({ id: 'a', userMessage: 'read it', steps });
    expect(parseEvalCase(line, 'f:1')).toMatchObject({ trace: true, userMessage: 'read it', steps });
  });

  it.each([
    [['first', 'then'], 'first\nthen'],
    [
      [
        { role: 'one', messages: ['a', 'b'] },
        { role: 'two', messages: ['c'] },
      ],
      'a\nb\nc',
    ],
    [[], undefined],
    [7, undefined],
  ])('knows what the user said in turn: %j', (userMessage, said) => {
    const line = JSON.stringify({ id: 'a', tool: 'bash', args: {}, userMessage });
    expect(parseEvalCase(line, 'f:1').userMessage).toBe(said);
  });

  it.each([
    ['{', 'f:7 is not JSON'],
    ['[]', 'f:7 is no case'],
    ['{"id":"a"}', 'f:7 is no case'],
    ['{"id":"a","tool":"bash","args":[]}', 'f:7 is no case'],
    ['{"id":"a","steps":[{"tool":"bash"}]}', 'f:7 is no case'],
  ])('%s is refused, naming its place', (line, message) => {
    const error = errorOf(() => parseEvalCase(line, 'f:7'));
    expect(error.code).toBe('usage');
    expect(error.message).toContain(message);
  });
});
