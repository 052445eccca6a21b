import { defineConfig } from 'vitest/config';

/*
 * `unit`: beside the sources, many at once. `e2e`: real processes of the built system, one file after the other
 * so that timing bounds hold on two cores.
 */
export default defineConfig({
  test: {
    watch: false,
    pool: 'forks',
    // Most tests wait for processes and disks; a core to spare would stand idle.
    maxWorkers: '100%',
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
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
