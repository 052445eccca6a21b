/**
 * `npm run bench [-- --only NAME] [--as-built]`: measures the built product against a bare client in the same run. Writes
 * `bench/RESULTS.md`; with `--only`, prints that figure and writes nothing. Builds first what is not built, unless
 * `--as-built`.
 */
import { fileURLToPath } from 'node:url';
import { handOver } from '../../scripts/set-up/hand-over.mjs';

/**
 * The sources of the product's client and store have enums, which Node.js only runs with this
 * option.
 */
const TYPES = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];

const program = fileURLToPath(new URL('./run-figures.ts', import.meta.url));
process.exitCode = await handOver(process.execPath, [...TYPES, program, ...process.argv.slice(2)], {
  cwd: process.cwd(),
  env: process.env,
});
