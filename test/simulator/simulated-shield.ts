import type { Action, Decision, Verdict } from '@bulkhead/protocol';
import type { SeededRandom } from '@bulkhead/testkit/simulation';
import type { Life } from './life.ts';

const DECISIONS: Readonly<Record<Decision, number>> = { allow: 80, escalate: 14, block: 6 };

/** A shield whose verdicts come from the seed, after a while: another tier may be slow. */
export function simulatedShield(life: Life, random: SeededRandom) {
  return {
    async judge(action: Action, _context: unknown, signal: AbortSignal): Promise<Verdict> {
      await life.scope.wait(`${action.tool} is judged`, { signal });
      return {
        decision: random.weighted(DECISIONS),
        tier: 0,
        rule: 'simulated',
        reason: 'the seed says so',
        confidence: 1,
      };
    },
  };
}
