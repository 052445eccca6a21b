import { BulkheadError } from '@bulkhead/protocol';
import type { ClientService } from '@bulkhead/protocol/client';
import { SessionRules } from '@bulkhead/runtime/session/session-rules';
import type { ServiceImpl } from '@connectrpc/connect';
import type { ClientServiceParts } from './client-service-parts.ts';

/** Longest accepted focus, in characters. */
const MAX_FOCUS = 2_000;

/** The user's control over the model's view of a long conversation. */
export function compactionCalls({ sessions, log }: Pick<ClientServiceParts, 'sessions' | 'log'>) {
  const rules = new SessionRules(sessions, log);
  return {
    compactSession: async ({ sessionId, focus }, { signal }) => {
      const compacted = await sessions.actor(sessionId).compact(checkedFocus(focus), signal);
      if (compacted === 'afterwards') return { afterwards: true };
      if (compacted === undefined) return {};
      const { entry, before, byRule, focusUsed } = compacted;
      return { entryId: entry, undoEntryId: before ?? '', byRule, focusUsed };
    },
    pinRule: ({ sessionId, rule }) => ({ rules: [...rules.pin(sessionId, rule)] }),
    unpinRule: ({ sessionId, number }) => ({ rules: [...rules.unpin(sessionId, number)] }),
    listRules: ({ sessionId }) => ({ rules: [...rules.list(sessionId)] }),
  } satisfies Partial<ServiceImpl<typeof ClientService>>;
}

/** Keeping half of the requested content would be worse than a refusal. */
function checkedFocus(focus: string): string {
  if (focus.length <= MAX_FOCUS) return focus;
  throw new BulkheadError(
    'usage',
    `what to keep has ${focus.length} characters: at most ${MAX_FOCUS} are taken`,
    {
      fix: 'Say it shorter, or pin it: `bulkhead sessions pin ID RULE`.',
    },
  );
}
