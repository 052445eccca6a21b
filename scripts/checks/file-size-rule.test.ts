import { expect, it } from 'vitest';
import { parseExceptions, sizeProblems } from './file-size-rule.ts';

const NONE = parseExceptions('# nothing\n\n');
const ONE = parseExceptions('2026-11-21 a.ts one table that is read as a whole\n');

it.each([
  ['up to 300 lines', 300, NONE, []],
  ['301 lines without a reason', 301, NONE, ['a.ts has 301 lines; more than 300 need a dated reason']],
  ['301 lines with a reason', 301, ONE, []],
  ['501 lines even with a reason', 501, ONE, ['a.ts has 501 lines; no file may have more than 500']],
  ['an exception that is not needed', 10, ONE, ['a.ts needs no exception any more; remove its line']],
])('judges %s', (_what, lines, exceptions, problems) => {
  expect(sizeProblems([{ path: 'a.ts', lines }], exceptions)).toEqual(problems);
});

it.each(['a.ts because it is long enough', '2026-11-21 a.ts', '2026-11-21 a.ts why'])(
  'refuses the entry %o',
  (line) => {
    expect(parseExceptions(line)).toMatchObject({ entries: [], problems: [expect.stringContaining(line)] });
  },
);
