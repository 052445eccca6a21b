import { describe, expect, it } from 'vitest';
import { JSON_OPTION, type OptionTable } from './option-table.ts';
import { parseArguments } from './parse-arguments.ts';
import { chooseVerb, type VerbTable, verbDetails, verbUsage } from './verb-table.ts';

const OPTIONS: OptionTable = { ...JSON_OPTION, limit: { about: 'list: how many', value: 'N' } };
const TABLE: VerbTable<string> = {
  list: { about: 'all of them', options: ['limit'], load: async () => 'list' },
  show: { words: ['[NAME]'], about: ['one', 'or the first'], load: async () => 'show' },
  label: { words: ['ID', 'TEXT…'], usage: '[--now]', about: 'names it', load: async () => 'label' },
};

function choose(...argv: readonly string[]) {
  return chooseVerb('things', TABLE, OPTIONS, parseArguments('bulkhead things', OPTIONS, argv));
}

describe('the verbs of a command', () => {
  it.each<[string, readonly string[], string, readonly string[]]>([
    ['the first where none is given', [], 'list', []],
    ['with its option', ['list', '--limit', '3', '--json'], 'list', []],
    ['a word that may be missing', ['show'], 'show', []],
    ['the same, given', ['show', 'a'], 'show', ['a']],
    ['a text of several words', ['label', '7', 'two', 'words'], 'label', ['7', 'two words']],
  ])('%s', async (_what, argv, name, words) => {
    const chosen = choose(...argv);
    expect([await chosen.verb.load(), chosen.words]).toEqual([name, words]);
  });

  it.each([
    [['lits'], 'unknown: things lits (did you mean "list"?)'],
    [['toString'], 'unknown: things toString'],
    [['list', 'x'], 'unexpected argument "x" for `things list`'],
    [['label', 'x'], '`things label` needs ID and TEXT'],
    [['show', '--limit', '1'], '--limit does not apply to `things show`'],
  ])('says what is wrong with %j', (argv, message) => {
    expect(() => choose(...argv)).toThrow(message);
  });

  it('appear in the usage and in the help', () => {
    expect(verbUsage(TABLE)).toBe('list | show [NAME] | label ID TEXT [--now]');
    expect(verbDetails(TABLE)).toEqual([
      'list   all of them',
      'show   one',
      '       or the first',
      'label  names it',
    ]);
  });
});
