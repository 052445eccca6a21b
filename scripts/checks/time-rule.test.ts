import { expect, it } from 'vitest';
import { parseBudget, timeProblems } from './time-rule.ts';

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

const BUDGET = parseBudget('lint 12\nunit 100\ne2e 100\nbuild 5');
const spentOf = (lint: number, unit: number, e2e: number, build: number) =>
  new Map([
    ['lint', lint],
    ['unit', unit],
    ['e2e', e2e],
    ['build', build],
  ]);

it('names a part that takes more than twice its budget, and one that has none', () => {
  expect(timeProblems(BUDGET, spentOf(24, 100, 200, 10))).toEqual([]);
  expect(timeProblems(BUDGET, spentOf(12, 201, 100, 5).set('new', 1))).toEqual([
    'unit took 201 s of the processors; its budget is 100 s',
    'new has no budget',
  ]);
});

it('names no part on a machine that is slower for all of them', () => {
  expect(timeProblems(BUDGET, spentOf(36, 290, 310, 16))).toEqual([]);
  expect(timeProblems(BUDGET, spentOf(90, 1_100, 1_000, 41))).toEqual([]);
});

it('names a part that grew, also on a slower machine', () => {
  expect(timeProblems(BUDGET, spentOf(36, 300, 605, 15))).toEqual([
    'e2e took 605 s of the processors; its budget is 100 s (300 s on this machine)',
  ]);
  const two = new Map([
    ['lint', 12],
    ['unit', 250],
  ]);
  expect(timeProblems(BUDGET, two)).toHaveLength(1);
});

it('accepts a part within its budget, however fast the machine is for the others', () => {
  expect(timeProblems(BUDGET, spentOf(1, 100, 10, 1))).toEqual([]);
});
