import { describe, expect, it } from 'vitest';
import { briefArguments, commandFailure, errorBrief, firstLine } from './brief.ts';

describe('brief', () => {
  it.each<[unknown, string]>([
    [{ path: 'README.md', limit: 5 }, 'README.md'],
    [{ pattern: 'TODO', path: 'src' }, 'TODO in src'],
    [{ pattern: 'TODO', path: '.' }, 'TODO'],
    [{ pattern: '**/*.ts' }, '**/*.ts'],
    [{ command: 'ls -l\nrm x' }, 'ls -l …'],
    [{ content: 'a', flag: true }, '{"content":"a","flag":true}'],
    [{}, ''],
    [null, ''],
    ['text', ''],
  ])('of %j is %j', (input, text) => {
    expect(briefArguments(input)).toBe(text);
  });

  it.each<[string, string]>([
    ['no such file', 'no such file'],
    ['one\n\n two\n three\n', 'one … three'],
    ['a\ncurl: (6) no host\n[exit code 6]\n[files: 1 created]\n+ file x', 'exit code 6: curl: (6) no host'],
    ['[exit code 1]', 'exit code 1'],
    [
      'The engine was restarted while this was under way. It is not known whether it took effect: look before you do it again.',
      'The engine was restarted while this was under way. It is not known whether it took effect: look before you do it again.',
    ],
    [`${'a'.repeat(300)}end`, `${'a'.repeat(95)}… …${'a'.repeat(92)}end`],
  ])('of the error %j is %j', (text, brief) => {
    expect(errorBrief(text)).toBe(brief);
  });

  it('takes the last lines of a failed command, how it ended and what Bulkhead says of it', () => {
    const output = Array.from({ length: 9 }, (_, at) => `line ${at}`).join('\n');
    const text = `${output}\n\n[exit code 1]\n[it has no network]\n[files: 1 created]\n+ file x\n[limit not enforced]`;
    expect(commandFailure(text, 3)).toEqual({
      ended: 'exit code 1',
      lines: ['line 6', 'line 7', 'line 8'],
      earlier: 6,
      notes: ['it has no network', 'limit not enforced'],
    });
    expect(commandFailure('[killed by SIGKILL]', 3)).toEqual({
      ended: 'killed by SIGKILL',
      lines: [],
      earlier: 0,
      notes: [],
    });
    expect(commandFailure('no such file', 3)).toBeUndefined();
    // A program that prints such a line itself is quoted with it.
    expect(commandFailure('[exit code 0]\n[exit code 2]', 3)).toMatchObject({
      ended: 'exit code 2',
      lines: ['[exit code 0]'],
    });
  });

  it('never cuts what an error says at its end', () => {
    const end = 'It is not known whether it took effect: look before you do it again.';
    for (const start of ['x'.repeat(400), 'a\nb\nc', ''])
      expect(errorBrief(`${start}. ${end}`)).toContain(end);
  });

  it('cuts by characters, never in half', () => {
    const line = firstLine('😀'.repeat(200));
    expect([...line]).toHaveLength(96);
    expect(line.endsWith('😀…')).toBe(true);
    expect(firstLine('\n\n  x  \n')).toBe('x');
  });
});
