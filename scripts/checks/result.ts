import type { CheckResult } from './check.ts';

/**
 * Result of a check that counts as one.
 *
 * @param problems One line each; none means passed.
 * @param note A few words for the summary.
 * @param cpuSeconds Processor time of the program that was run.
 */
export function resultOf(problems: readonly string[], note?: string, cpuSeconds?: number): CheckResult {
  const ok = problems.length === 0;
  return {
    passed: ok ? 1 : 0,
    failed: ok ? 0 : 1,
    skipped: 0,
    output: problems.join('\n'),
    ...(note === undefined ? {} : { note }),
    ...(cpuSeconds === undefined ? {} : { cpuSeconds }),
  };
}
