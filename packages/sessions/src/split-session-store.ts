import { BulkheadError } from '@bulkhead/protocol';
import type { SessionStore } from './session-store.ts';
import { alreadyExists } from './store-errors.ts';

/**
 * One store over two: sessions off the record live in `memory` and end with it, all others on
 * `disk`. No data of the former reaches the latter [S5].
 */
export function createSplitSessionStore(disk: SessionStore, memory: SessionStore): SessionStore {
  const of = (sessionId: string): SessionStore =>
    memory.getSession(sessionId) === undefined ? disk : memory;
  const both = [disk, memory];

  return {
    createSession(input, first) {
      const offTheRecord = input.offTheRecord ?? false;
      const other = offTheRecord ? disk : memory;
      if (other.getSession(input.id) !== undefined) throw alreadyExists(input.id);
      if (input.origin !== undefined) checkFork(offTheRecord, memory, disk, input.origin.session);
      return (offTheRecord ? memory : disk).createSession(input, first);
    },
    getSession: (sessionId) => of(sessionId).getSession(sessionId),
    listSessions: (limit) =>
      both
        .flatMap((store) => store.listSessions(limit))
        .sort((a, b) => b.updatedAt - a.updatedAt)
        .slice(0, Math.max(0, limit)),
    countSessions: () => disk.countSessions() + memory.countSessions(),
    append: (sessionId, records, options) => of(sessionId).append(sessionId, records, options),
    flush: () => disk.flush(),
    records: (sessionId, after, limit) => of(sessionId).records(sessionId, after, limit),
    lastPos: (sessionId) => of(sessionId).lastPos(sessionId),
    lastSeq: (sessionId) => of(sessionId).lastSeq(sessionId),
    branch: (sessionId, leaf) => of(sessionId).branch(sessionId, leaf),
    recentBranch: (sessionId, leaf, bytes) => of(sessionId).recentBranch(sessionId, leaf, bytes),
    tree: (sessionId) => of(sessionId).tree(sessionId),
    labels: (sessionId) => of(sessionId).labels(sessionId),
    search(query, limit) {
      const [stored, held] = both.map((store) => store.search(query, limit));
      return [...(held ?? []), ...(stored ?? [])].slice(0, Math.max(0, limit));
    },
    deleteSession: (sessionId, time) => of(sessionId).deleteSession(sessionId, time),
    forksOf: (sessionId) => of(sessionId).forksOf(sessionId),
    // Only the disk counts for all: it keeps the cost of calls off the record, and nothing else of
    // them.
    addSpending: (call, time) => disk.addSpending(call, time),
    modelCalls: (where) => (where.session === undefined ? disk : of(where.session)).modelCalls(where),
    findInput: (sessionId, messageId) => of(sessionId).findInput(sessionId, messageId),
    openInputs: () => both.flatMap((store) => store.openInputs()),
    close() {
      memory.close();
      disk.close();
    },
  };
}

/** A fork is stored with its origin: two stores can't share data. */
function checkFork(offTheRecord: boolean, memory: SessionStore, disk: SessionStore, origin: string): void {
  const originOffTheRecord = memory.getSession(origin) !== undefined;
  if (!originOffTheRecord && disk.getSession(origin) === undefined) return;
  if (originOffTheRecord === offTheRecord) return;
  throw new BulkheadError(
    'usage',
    originOffTheRecord
      ? `session ${origin} is off the record: a fork of it must be so too`
      : `session ${origin} is on the record: a fork of it can't be off the record`,
    { fix: 'Start a new session instead of a fork.' },
  );
}
