import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Files that assert times, or load the machine so that others would miss theirs: one after the other, at the end. */
const ALONE = ['e2e/bounds.test.ts', 'e2e/cancel.test.ts', 'e2e/http-attacks.test.ts'];
const E2E = ['e2e/**/*.test.ts', 'regressions/**/*.test.ts'];
const E2E_LIMITS = { testTimeout: 180_000, hookTimeout: 240_000 };

/*
 * `unit`: beside the sources. `e2e`: real processes of the built system. Files share their worker's modules, so
 * a file takes back what it changes of the process. `npx vitest run --project 'e2e*' FILE` finds both kinds.
 */
export default defineConfig({
  test: {
    watch: false,
    pool: 'forks',
    isolate: false,
    // Most tests wait for processes and disks; a core to spare would stand idle.
    maxWorkers: '100%',
    setupFiles: ['scripts/tests/set-up.ts'],
    // Bounds on what hangs: how long something takes on a busy machine is no promise of the product.
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'scripts/**/*.test.ts',
            'test/**/*.test.ts',
            'bench/memory/*.test.ts',
          ],
          // Programs that tests start from TypeScript are translated and compiled once, not at each start.
          env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '.cache', 'compile') },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: E2E,
          exclude: ALONE,
          globalSetup: ['e2e/support/global-set-up.ts'],
          ...E2E_LIMITS,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e-alone',
          include: ALONE,
          globalSetup: ['e2e/support/global-set-up.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          ...E2E_LIMITS,
        },
      },
    ],
  },
});
