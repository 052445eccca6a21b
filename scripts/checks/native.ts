import { join } from 'node:path';
import type { Check } from './check.ts';
import { runProgram } from './run-program.ts';

/** For the parsers, and for the copies. */
const FUZZ_SECONDS = 10;
const LIMIT_MS = 120_000;
/** Exit code of `run.sh` if no compiler has the sanitizers. */
const NO_COMPILER = 77;

/**
 * The launcher's parsers take any bytes without invalid reads or writes, and its list of a copy's
 * changes is correct.
 */
export const native: Check = {
  name: 'native',
  mend: 'Mend what the sanitizer names; `npm run fuzz 60` runs it again, for longer.',
  async run({ root, env, signal }) {
    const script = join(root, 'test', 'fuzz', 'run.sh');
    const { code, output, stdout, cpuSeconds } = await runProgram('/bin/sh', [script, String(FUZZ_SECONDS)], {
      cwd: root,
      env,
      signal,
      timeoutMs: LIMIT_MS,
    });
    if (code === NO_COMPILER) {
      return { passed: 0, failed: 0, skipped: 1, output, note: 'skipped: no C compiler with sanitizers' };
    }
    const passed = code === 0;
    const note = stdout.trim().split('\n').slice(0, 3).join('; ');
    return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0, output, note, cpuSeconds };
  },
};
