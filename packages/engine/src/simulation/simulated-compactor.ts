import { BulkheadError } from '@bulkhead/protocol';
import type { SeededRandom } from '@bulkhead/testkit/simulation';
import type { Compactor } from '../run/compactor.ts';
import type { Life } from './life.ts';

/** A compactor that keeps the last exchange, or finds nothing to gain, as the seed has it. */
export function simulatedCompactor(life: Life, random: SeededRandom): Compactor {
  return {
    name: 'simulated compaction',
    present: true,
    async compact(_sessionId, entries, _instructions, signal) {
      try {
        await life.scope.wait('the conversation is made shorter', { signal });
      } catch {
        throw new BulkheadError('cancelled', 'the compaction was cancelled');
      }
      const users = entries.filter(({ message }) => message?.role.case === 'user');
      const kept = users.at(-1);
      return kept === undefined || random.chance(0.3)
        ? undefined
        : { summary: 'in short', keptFrom: kept.id };
    },
  };
}
