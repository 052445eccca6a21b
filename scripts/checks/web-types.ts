import type { Check } from './check.ts';
import { programCheck } from './program-check.ts';

/**
 * Runs the compiler over the web UI, which runs in a browser with other globals and components.
 * Includes Svelte's own warnings.
 */
export const webTypes: Check = programCheck(
  'web-types',
  'Mend the places that are named; `npx svelte-check` in packages/web shows the same.',
  'svelte-check',
  ['--tsconfig', './tsconfig.json', '--output', 'human', '--fail-on-warnings', '--no-color'],
  'packages/web',
);
