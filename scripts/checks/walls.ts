import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { resultOf } from './result.ts';
import { runProgram } from './run-program.ts';

const FOLDERS = ['packages', 'e2e', 'bench', 'scripts', 'test', 'regressions'];

/** No module imports what it must not know. */
export const walls: Check = {
  name: 'walls',
  mend: 'Each line above says why the wall is there. Move the code to where it may know both, or pass in what it needs.',
  async run({ root, env }) {
    const { code, output, cpuSeconds } = await cruise(root, env);
    return resultOf(code === 0 ? [] : [output.trimEnd()], undefined, cpuSeconds);
  },
};

/**
 * Runs dependency-cruiser with the walls of this checkout.
 *
 * @param root The checkout, or a copy of its shape: `packages/…` and `tsconfig.json`.
 * @param env Environment of the program.
 * @param tools The checkout whose tools and rules to use.
 */
export async function cruise(root: string, env: NodeJS.ProcessEnv, tools = root) {
  const config = join(tools, '.dependency-cruiser.mjs');
  const folders = FOLDERS.filter((folder) => existsSync(join(root, folder)));
  return runProgram(
    join(tools, 'node_modules', '.bin', 'depcruise'),
    ['--config', config, '--output-type', 'err-long', ...folders],
    { cwd: root, env },
  );
}
