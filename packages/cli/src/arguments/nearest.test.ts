import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

describe('nearest', () => {
  const commands = ['start', 'stop', 'status', 'sessions', 'run', 'chat'];

  it.each([
    ['strat', 'start'],
    ['stat', 'start'],
    ['statu', 'status'],
    ['sess', 'sessions'],
    ['rnu', 'run'],
    ['chta', 'chat'],
  ])('takes %s for %s', (word, meant) => {
    expect(nearest(word, word === 'stat' ? ['start', 'stop'] : commands)).toBe(meant);
  });

  it.each(['', 'x', 'frobnicate', 'zzz'])('has nothing near %j', (word) => {
    expect(nearest(word, commands)).toBeUndefined();
  });
});
