import type { Check } from './check.ts';
import { programCheck } from './program-check.ts';

/** Runs the compiler over everything, as strictly as possible. */
export const types: Check = programCheck(
  'types',
  'Mend the places that are named; `npx tsc -p .` shows the same.',
  'tsc',
  ['-p', '.', '--pretty', 'false'],
);
