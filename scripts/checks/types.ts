import type { Check } from './check.ts';
import { programCheck } from './program-check.ts';

/** The compiler, as strict as it gets, over everything. */
export const types: Check = programCheck(
  'types',
  'Mend the places that are named; `npx tsc -p .` shows the same.',
  'tsc',
  ['-p', '.', '--pretty', 'false'],
);
