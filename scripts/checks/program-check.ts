import { join } from 'node:path';
import type { Check } from './check.ts';
import { resultOf } from './result.ts';
import { runProgram } from './run-program.ts';

/**
 * A check that is one run of an installed tool: passes if the tool exits with 0.
 *
 * @param tool Name of the executable in `node_modules/.bin`.
 * @param args Its arguments.
 * @param folder Where to run it, below the checkout.
 */
export function programCheck(
  name: string,
  mend: string,
  tool: string,
  args: readonly string[],
  folder = '.',
): Check {
  return {
    name,
    mend,
    async run({ root, env, signal }) {
      const bin = join(root, 'node_modules', '.bin');
      const result = await runProgram(join(bin, tool), args, { cwd: join(root, folder), env, signal });
      return resultOf(
        result.code === 0 ? [] : [result.output.trimEnd() || `${tool} exited with ${result.code}`],
        undefined,
        result.cpuSeconds,
      );
    },
  };
}
