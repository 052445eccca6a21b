import type { Check, CheckContext, CheckResult } from './check.ts';

/** A check with its result. */
export interface Finished {
  readonly check: Check;
  readonly result: CheckResult;
  readonly milliseconds: number;
}

/** Listens to the progress of the checks. */
export interface CheckListener {
  started(check: Check): void;
  finished(one: Finished): void;
}

/**
 * Runs checks, some concurrently, and continues after a failure. A check that throws has failed.
 *
 * @param checks In the order in which to start them.
 * @param atOnce Limit of concurrent checks; at least 1.
 * @returns In the order of `checks`; checks that an abort prevented are missing.
 */
export async function runChecks(
  checks: readonly Check[],
  atOnce: number,
  context: CheckContext,
  listener: CheckListener,
): Promise<Finished[]> {
  const finished: Finished[] = [];
  const waiting = checks.entries();
  const lane = async () => {
    for (const [index, check] of waiting) {
      if (context.signal.aborted) return;
      listener.started(check);
      const started = performance.now();
      const result = await runSafely(check, context);
      const one = { check, result, milliseconds: performance.now() - started };
      finished[index] = one;
      listener.finished(one);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return finished;
}

async function runSafely(check: Check, context: CheckContext): Promise<CheckResult> {
  try {
    return await check.run(context);
  } catch (error) {
    const output = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { passed: 0, failed: 1, skipped: 0, output };
  }
}
