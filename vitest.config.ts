import { defineConfig } from 'vitest/config';

/*
 * `unit`: beside the sources; files share their worker's modules, so a file takes back what it changes of the
 * process. `e2e`: real processes of the built system, one file after the other.
 */
export default defineConfig({
  test: {
    watch: false,
    pool: 'forks',
    isolate: false,
    // Most tests wait for processes and disks; a core to spare would stand idle.
    maxWorkers: '100%',
    setupFiles: ['scripts/tests/set-up.ts'],
    // How long something may take on a busy machine is no promise of the product.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/memory/*.test.ts'],
          testTimeout: 15_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts', 'regressions/**/*.test.ts'],
          isolate: true,
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
