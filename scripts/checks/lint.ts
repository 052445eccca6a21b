import type { Check } from './check.ts';
import { programCheck } from './program-check.ts';

/** Format and lint. */
export const lint: Check = programCheck(
  'lint',
  'Run `npx biome check --write`; what it leaves has to be mended by hand.',
  'biome',
  ['ci', '--colors=off', '--max-diagnostics=50'],
);
