import { describe, expect, it } from 'vitest';
import { standingWords } from './judge-effects.ts';

describe('the words of a person that hold', () => {
  it.each<[readonly string[], string]>([
    [[], ''],
    [['delete the logs'], 'delete the logs'],
    [['do not delete the logs'], 'do not delete the logs'],
    [['delete the logs', 'then run the tests'], 'then run the tests\ndelete the logs'],
    [['delete the logs', 'No, leave them.'], 'No, leave them.'],
    [['delete the logs', 'stop', 'run the tests'], 'run the tests\nstop'],
    [['delete the logs', "please don't"], "please don't"],
  ])('of %j are %j [H2]', (messages, words) => {
    expect(standingWords(messages)).toBe(words);
  });
});
