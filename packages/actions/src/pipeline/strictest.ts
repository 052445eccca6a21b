import type { Verdict } from '@bulkhead/protocol';

/**
 * Combines verdicts: returns the block, else the first escalation, with the reasons of all of them.
 */
export function strictest(verdicts: readonly (Verdict | undefined)[]): Verdict | undefined {
  const found = verdicts.filter((verdict) => verdict !== undefined);
  const block = found.find(({ decision }) => decision === 'block');
  if (block !== undefined) return block;
  const [first, ...others] = found.filter(({ decision }) => decision === 'escalate');
  if (first === undefined) return undefined;
  return { ...first, reason: [first, ...others].map(({ reason }) => reason).join('; ') };
}
