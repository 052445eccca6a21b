import type { Check } from './check.ts';
import { programCheck } from './program-check.ts';

/**
 * Runs the compiler over the tests of the web UI: parts of them run in a page, with its globals.
 */
export const webTestTypes: Check = programCheck(
  'web-test-types',
  'Mend the places that are named; `npx tsc -p e2e/web` shows the same.',
  'tsc',
  ['-p', 'e2e/web', '--pretty', 'false'],
);
