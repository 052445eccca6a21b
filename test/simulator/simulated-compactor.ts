import { compactable } from '@bulkhead/log/session/compactable';
import { BulkheadError } from '@bulkhead/protocol';
import type { Compactor } from '@bulkhead/runtime/testing';
import type { Entry } from '@bulkhead/sessions';
import type { SeededRandom } from '@bulkhead/testkit/simulation';
import type { Life } from './life.ts';

/**
 * A compactor that cuts at any allowed entry, even of the run itself, or finds nothing to gain; the
 * seed decides. In some lives every request exceeds the window, and every run is followed by a
 * background compaction.
 */
export function simulatedCompactor(life: Life, random: SeededRandom): Compactor {
  return {
    settings: { enabled: random.chance(0.3), at: 0.000_1, keep: 0.3 },
    async compact(_sessionId, entries, { ownMessages }, signal) {
      try {
        await life.scope.wait('the conversation is made shorter', { signal });
      } catch {
        throw new BulkheadError('cancelled', 'the compaction was cancelled');
      }
      const places = safePlaces(entries);
      if (places.length === 0 || random.chance(0.3)) return undefined;
      const keptFrom = places[random.below(places.length)] ?? null;
      // Like the real one, it keeps the words that the run answers.
      return { summary: ['in short', ...ownMessages].join('\n'), keptFrom, byRule: random.chance(0.2) };
    },
  };
}

/** Entries before which a cut is allowed: no result of a call, and not the first. */
function safePlaces(entries: readonly Entry[]): readonly string[] {
  const { messages, entryIds } = compactable(entries);
  return entryIds.filter((_, at) => at > 0 && messages[at]?.role.case !== 'tool');
}
