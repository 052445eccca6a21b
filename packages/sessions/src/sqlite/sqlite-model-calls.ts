import { inOrder, isAskedFor, spendingsIn, totalModelCalls } from '../model-calls.ts';
import { recordFromRow } from '../record-row.ts';
import type { ModelCallsQuery, ModelCallTotals, StoredRecord } from '../session-store.ts';
import type { Connection } from './connection.ts';
import { isCorrupt, type Quarantine } from './quarantine.ts';
import { integer, type Row, readRecord } from './read-row.ts';
import type { SessionDirectory } from './session-directory.ts';
import { readSpendings } from './spendings.ts';

/** Totals of the calls in a span of time, found by an index on time. Damaged sessions are left out. */
export function sqliteModelCalls(
  connection: Connection,
  directory: SessionDirectory,
  quarantine: Quarantine,
  where: ModelCallsQuery,
): readonly ModelCallTotals[] {
  const { statements, guard } = connection;
  const session = where.session === undefined ? undefined : directory.get(where.session);
  if (where.session !== undefined && session === undefined) return [];
  const from = where.from ?? Number.MIN_SAFE_INTEGER;
  const to = where.to ?? Number.MAX_SAFE_INTEGER;

  const read = (row: Row): readonly StoredRecord[] => {
    const key = integer(row, 'session');
    const record = quarantine.orNothing(key, () => {
      const id = directory.at(key)?.head.info.id ?? '';
      return recordFromRow(readRecord(id, row));
    });
    return record !== undefined && isAskedFor(where, record.sessionId, record.time) ? [record] : [];
  };

  const rows = (): readonly Row[] => {
    try {
      return guard(() => statements.modelCalls.all(from, to, session?.key ?? null));
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      return quarantine.overAll(({ key }) => statements.modelCallsByScan.all(from, to, key));
    }
  };

  const kept = guard(() => readSpendings(statements));
  return inOrder([...totalModelCalls(rows().flatMap(read)), ...spendingsIn(kept, where)]);
}
