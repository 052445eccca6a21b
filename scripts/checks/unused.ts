import type { Check } from './check.ts';
import { programCheck } from './program-check.ts';

/** Every file, export and dependency is used. */
export const unused: Check = programCheck(
  'unused',
  'Remove what is named. What only a package itself needs must not be exported; a dependency is listed where it is imported.',
  'knip',
  ['--no-progress', '--no-config-hints'],
);
