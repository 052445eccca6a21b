import { expect, it } from 'vitest';
import { parseBudget, timeProblems } from './time.ts';

it('reads names and seconds, and refuses what is neither', () => {
  expect(parseBudget('# Processor seconds.\nlint 12\nweb-types 30\n')).toEqual(
    new Map([
      ['lint', 12],
      ['web-types', 30],
    ]),
  );
  for (const wrong of ['lint', 'lint twelve', 'lint -1', 'lint 12 s'])
    expect(() => parseBudget(wrong), wrong).toThrow(`"${wrong}" must be`);
});

it('names a part that takes half as much again as it may, and one that has no budget', () => {
  const budget = parseBudget('lint 12\nunit 100\ne2e 100');
  const spent = new Map([
    ['lint', 18],
    ['unit', 151],
    ['new', 1],
  ]);
  expect(timeProblems(budget, spent)).toEqual([
    'unit took 151 s of the processors; its budget is 100 s',
    'new has no budget',
  ]);
});
