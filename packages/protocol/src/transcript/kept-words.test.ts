import { expect, it } from 'vitest';
import { keptWords } from './kept-words.ts';

const counts = { created: 2, changed: 0, deleted: 1 };

it.each([
  [{}, undefined],
  [{ effects: { kept: true, ...counts } }, 'files: 2 created, 1 deleted'],
  [{ effects: { kept: true, created: 0, changed: 0, deleted: 0 } }, undefined],
  [
    { effects: { kept: false, ...counts }, left: 'nothing' as const },
    'files: 2 created, 1 deleted; none of it kept',
  ],
  [{ effects: { kept: false, ...counts } }, 'files: 2 created, 1 deleted; none of it kept'],
  [{ left: 'nothing' as const }, 'nothing of it was kept'],
  [{ left: 'unknown' as const, effects: { kept: false, ...counts } }, 'may already have taken effect'],
  [{ fate: 'unknown' as const }, 'it is not known whether it took effect'],
])('tells of %j what was kept', (item, text) => {
  expect(keptWords(item)?.text).toBe(text);
});
