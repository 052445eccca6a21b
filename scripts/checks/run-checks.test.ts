import { expect, it } from 'vitest';
import type { Check, CheckContext } from './check.ts';
import { summaryOf } from './report.ts';
import { resultOf } from './result.ts';
import { runChecks } from './run-checks.ts';

const CONTEXT: CheckContext = {
  root: '/',
  results: '/',
  env: {},
  signal: new AbortController().signal,
  updateSurface: false,
  endBy: Number.POSITIVE_INFINITY,
  cpuSeconds: new Map(),
};
const SILENT = { started: () => undefined, finished: () => undefined };

function check(name: string, run: Check['run']): Check {
  return { name, mend: `mend ${name}`, run };
}

it('goes on after a failure and after a check that throws, and keeps the order', async () => {
  const finished = await runChecks(
    [
      check('fails', async () => resultOf(['a.ts is wrong'])),
      check('throws', async () => {
        throw new Error('no such tool');
      }),
      check('counts', async () => ({ passed: 5, failed: 0, skipped: 2, output: '' })),
    ],
    2,
    CONTEXT,
    SILENT,
  );
  expect(finished.map((one) => [one.check.name, one.result.failed])).toEqual([
    ['fails', 1],
    ['throws', 1],
    ['counts', 0],
  ]);
  const summary = summaryOf(finished);
  expect(summary.split('\n').slice(-2)).toEqual(['5 passed, 2 failed, 2 skipped', '']);
  expect(summary).toContain('a.ts is wrong\n→ mend fails');
  expect(summary).toContain('no such tool');
  expect(summary).not.toContain('mend counts');
});

it('runs no more at once than allowed', async () => {
  let running = 0;
  let most = 0;
  const slow = check('slow', async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 10));
    running -= 1;
    return resultOf([]);
  });
  await runChecks([slow, slow, slow, slow], 2, CONTEXT, SILENT);
  expect(most).toBe(2);
});
