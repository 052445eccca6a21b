import type { ClientService } from '@bulkhead/protocol/client';
import type { ServiceImpl } from '@connectrpc/connect';
import { SessionRules } from '../session/session-rules.ts';
import type { ClientServiceParts } from './client-service-parts.ts';

type CompactionCall = 'compactSession' | 'pinRule' | 'unpinRule' | 'listRules';

/** Longest focus that is read, in characters. */
const MAX_FOCUS = 2_000;

/** What a person does to what the model is shown of a long conversation. */
export function compactionCalls({
  sessions,
  log,
}: Pick<ClientServiceParts, 'sessions' | 'log'>): Pick<ServiceImpl<typeof ClientService>, CompactionCall> {
  const rules = new SessionRules(sessions, log);
  return {
    compactSession: async ({ sessionId, focus }) => {
      const compacted = await sessions.actor(sessionId).compact(focus.slice(0, MAX_FOCUS));
      if (compacted === 'afterwards') return { afterwards: true };
      if (compacted === undefined) return {};
      return { entryId: compacted.entry, undoEntryId: compacted.before ?? '', byRule: compacted.byRule };
    },
    pinRule: ({ sessionId, rule }) => ({ rules: [...rules.pin(sessionId, rule)] }),
    unpinRule: ({ sessionId, number }) => ({ rules: [...rules.unpin(sessionId, number)] }),
    listRules: ({ sessionId }) => ({ rules: [...rules.list(sessionId)] }),
  };
}
