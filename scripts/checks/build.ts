import { join } from 'node:path';
import type { Check } from './check.ts';
import { resultOf } from './result.ts';
import { runProgram } from './run-program.ts';

/** The processes can be bundled, within their budgets of size. */
export const buildCheck: Check = {
  name: 'build',
  mend: 'Mend the source that is named; `npm run build` shows the same.',
  async run({ root, env, signal }) {
    const result = await runProgram(process.execPath, [join(root, 'scripts', 'build.ts')], {
      cwd: root,
      env,
      signal,
    });
    return resultOf(result.code === 0 ? [] : [result.output.trimEnd()], undefined, result.cpuSeconds);
  },
};
