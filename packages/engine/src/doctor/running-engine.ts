import type { Check } from './check.ts';

/**
 * A fact that only the running engine knows: whether it was started without a sandbox.
 *
 * @param sandbox as in its status
 * @returns undefined if there is nothing to report
 */
export function runningEngineCheck(sandbox: string): Check | undefined {
  if (sandbox !== 'off') return undefined;
  const detail = 'it was started with --insecure-no-sandbox: nothing it runs is boxed';
  return { name: 'running engine', state: 'bad', detail, fix: 'Run `bulkhead stop`, then start it without.' };
}
