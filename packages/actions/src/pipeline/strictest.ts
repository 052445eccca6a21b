import type { Verdict } from '@bulkhead/protocol';

/** Of several judges each of whom may stop an action: the block, else the first that asks, with the reasons of all who do. */
export function strictest(verdicts: readonly (Verdict | undefined)[]): Verdict | undefined {
  const found = verdicts.filter((verdict) => verdict !== undefined);
  const block = found.find(({ decision }) => decision === 'block');
  if (block !== undefined) return block;
  const [first, ...others] = found.filter(({ decision }) => decision === 'escalate');
  if (first === undefined) return undefined;
  return { ...first, reason: [first, ...others].map(({ reason }) => reason).join('; ') };
}
