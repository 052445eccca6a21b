import { describe, expect, it } from 'vitest';
import type { OptionTable } from './option-table.ts';
import { parseArguments } from './parse-arguments.ts';

const TABLE: OptionTable = {
  json: { about: 'print JSON' },
  model: { about: 'model', value: 'NAME' },
  lines: { about: 'lines', value: 'N', short: 'n' },
};

const parse = (...argv: string[]) => parseArguments('bulkhead run', TABLE, argv);

describe('parseArguments [I1]', () => {
  it('takes options before, between and after words', () => {
    const args = parse('--json', 'list', '--model', 'a/b', 'the files');
    expect(args.words).toEqual(['list', 'the files']);
    expect(args.flag('json')).toBe(true);
    expect(args.value('model')).toBe('a/b');
    expect(args.flag('help')).toBe(false);
    expect(args.value('lines')).toBeUndefined();
  });

  it('takes short options, inline values and words after --', () => {
    const args = parse('-n', '5', '--model=--odd', '--', '--json');
    expect(args.value('lines')).toBe('5');
    expect(args.value('model')).toBe('--odd');
    expect(args.words).toEqual(['--json']);
    expect(args.flag('json')).toBe(false);
  });

  it('keeps every value of an option, and takes the last where one is wanted', () => {
    const args = parse('--model', 'a/b', '--model=c/d');
    expect(args.all('model')).toEqual(['a/b', 'c/d']);
    expect(args.value('model')).toBe('c/d');
    expect(args.all('lines')).toEqual([]);
  });

  it('takes a negative number as a word, whole and in its place', () => {
    expect(parse('a', '-12.5', 'b', '-.5', '-n', '-3', '--', '-7').words).toEqual([
      'a',
      '-12.5',
      'b',
      '-.5',
      '-7',
    ]);
    expect(parse('-n', '-3').value('lines')).toBe('-3');
  });

  it('takes a lone dash as a word', () => {
    expect(parse('-').words).toEqual(['-']);
  });

  it.each<[string, string[], string]>([
    ['an unknown option with its neighbour', ['--jsno'], '--json'],
    ['an unknown option', ['--frobnicate'], 'unknown option --frobnicate'],
    ['an unknown short option', ['-x'], 'unknown option -x'],
    ['a missing value', ['--model'], '--model NAME'],
    ['an option in place of a value', ['--model', '--json'], '--model NAME'],
    ['a value nobody wants', ['--json=yes'], 'takes no value'],
    ['a name of the prototype', ['--constructor'], 'unknown option'],
  ])('refuses %s', (_what, argv, part) => {
    expect(() => parse(...argv)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(part) }),
    );
  });

  it('leaves the profile to the code that knows the home', () => {
    const args = parse('--profile', 'work', 'hi');
    expect([args.words, args.value('profile')]).toEqual([['hi'], 'work']);
  });
});
