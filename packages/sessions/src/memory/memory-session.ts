import { BulkheadError } from '@bulkhead/protocol';
import type { LogState } from '../plan-append.ts';
import { openInputOf, type RecordRow, recordFromRow } from '../record-row.ts';
import type { SessionHead } from '../session-head.ts';
import type { InputState, OpenInput } from '../session-store.ts';

/** One session of a memory store. */
export interface MemorySession {
  readonly id: string;
  head: SessionHead;
  /** Rises with every session: orders those changed in the same millisecond. */
  readonly order: number;
  readonly rows: RecordRow[];
  readonly visible: RecordRow[];
  readonly entries: Map<string, RecordRow>;
  readonly inputs: Map<string, InputState>;
}

export function newMemorySession(head: SessionHead, order: number): MemorySession {
  return { id: head.info.id, head, order, rows: [], visible: [], entries: new Map(), inputs: new Map() };
}

export function stateOf(session: MemorySession, hasEntry: (id: string) => boolean): LogState {
  return {
    lastPos: session.rows.length,
    lastSeq: session.visible.length,
    hasEntry,
    input: (messageId) => {
      const input = session.inputs.get(messageId);
      if (input === undefined) return 'unknown';
      return input.settled ? 'settled' : 'open';
    },
  };
}

export function storeRow(session: MemorySession, row: RecordRow): void {
  session.rows.push(row);
  if (row.entry !== null) session.entries.set(row.entry, row);
  if (row.messageId !== null) {
    const accepted = session.inputs.get(row.messageId);
    const input = accepted ?? { messageId: row.messageId, pos: row.pos, afterSeq: session.visible.length };
    session.inputs.set(row.messageId, { ...input, settled: row.type === 'settled' });
  }
  if (row.seq !== null) session.visible.push(row);
}

export function openInputsOf(session: MemorySession): readonly OpenInput[] {
  const open = [...session.inputs.values()].filter((input) => !input.settled);
  return open.map(({ messageId, pos, afterSeq }) => {
    const row = session.rows[pos - 1];
    if (row === undefined) throw new BulkheadError('internal', `session ${session.id} has no record ${pos}`);
    return openInputOf(recordFromRow(row), { messageId, afterSeq });
  });
}
