import { describe, expect, it } from 'vitest';
import { briefArguments, firstLine } from './brief.ts';

describe('brief', () => {
  it.each<[unknown, string]>([
    [{ path: 'README.md', limit: 5 }, 'README.md'],
    [{ command: 'ls -l\nrm x' }, 'ls -l …'],
    [{ content: 'a', flag: true }, '{"content":"a","flag":true}'],
    [{}, ''],
    [null, ''],
    ['text', ''],
  ])('of %j is %j', (input, text) => {
    expect(briefArguments(input)).toBe(text);
  });

  it('cuts by characters, never in half', () => {
    const line = firstLine('😀'.repeat(200));
    expect([...line]).toHaveLength(96);
    expect(line.endsWith('😀…')).toBe(true);
    expect(firstLine('\n\n  x  \n')).toBe('x');
  });
});
