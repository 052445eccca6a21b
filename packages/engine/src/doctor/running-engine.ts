import type { Check } from './check.ts';

/**
 * What only the engine that runs now can tell: whether it was started without a sandbox.
 *
 * @param sandbox as its status says
 * @returns undefined where there is nothing to tell
 */
export function runningEngineCheck(sandbox: string): Check | undefined {
  if (sandbox !== 'off') return undefined;
  const detail = 'it was started with --insecure-no-sandbox: nothing it runs is boxed';
  return { name: 'running engine', state: 'bad', detail, fix: 'Run `bulkhead stop`, then start it without.' };
}
