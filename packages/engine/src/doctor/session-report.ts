import { existsSync } from 'node:fs';
import { createLabelTables } from '@bulkhead/actions/flow/label-tables';
import { checkLogs } from '@bulkhead/log/agreement/check-logs';
import { describeLoss, readLoss } from '@bulkhead/log/agreement/loss';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { openReadOnlyLog, type ReadOnlyLog, restoreOrMove } from '@bulkhead/sessions';
import type { Check } from './check.ts';

const RESTORE = 'It was left as it is. Restore a backup to get back what is missing.';

/**
 * Opens the session database read-only, and compares it with the audit log as a start does. The
 * audit log is read first: a running engine has each record on disk before the audit log names it.
 */
export async function lookAtSessions(layout: HomeLayout): Promise<readonly Check[]> {
  const { database: path, audit } = layout;
  try {
    if (!existsSync(path)) return [missing(layout), ...(await allLost(audit))];
    using log = openReadOnlyLog(path);
    if (log === undefined) {
      return [ok('sessions', `${path} is of an earlier version; a start brings it forward`)];
    }
    return [...sessionRows(path, log), ...labelRow(log), ...(await agreementRows(audit, path, log))];
  } catch (error) {
    const { message, fix = restoreOrMove(path) } = BulkheadError.from(error);
    return [bad('sessions', message, fix)];
  }
}

function missing({ database, audit }: HomeLayout): Check {
  if (existsSync(`${database}-wal`)) {
    return bad(
      'sessions',
      `${database} is missing, but its write-ahead log is there`,
      restoreOrMove(database),
    );
  }
  if (!existsSync(`${audit}/audit-000001.jsonl`)) return ok('sessions', 'none yet');
  return bad(
    'sessions',
    `${database} is missing, and the audit log in ${audit} names what was in it`,
    'Restore all its files from a backup before the engine starts: a start makes an empty one, and names the sessions that are lost.',
  );
}

/** The lost records that a start would name. */
async function allLost(audit: string): Promise<readonly Check[]> {
  const { losses } = await checkLogs(audit, {
    mark: () => undefined,
    positions: () => new Map(),
    recordsAfter: () => [],
    standing: () => ({ state: 'absent' }),
  });
  return [...losses].map(([id, loss]) =>
    bad('session that lost records', describeLoss(id, loss), 'Restore the session database from a backup.'),
  );
}

function sessionRows(path: string, { problems, damaged, sessions }: ReadOnlyLog): readonly Check[] {
  const file =
    problems.length === 0
      ? ok('sessions', `${sessions} in ${path}, pages intact`)
      : bad('sessions', `${path} is damaged: ${problems.join('; ')}`, restoreOrMove(path));
  const under = damaged.map(({ session, problem }) =>
    bad('session under quarantine', `${session}: ${problem}`, RESTORE),
  );
  return [file, ...under];
}

/** An unreadable label prevents the engine's start. */
function labelRow({ tables }: ReadOnlyLog): readonly Check[] {
  if (tables === undefined) return [];
  try {
    const labels = createLabelTables(tables);
    const counts = ['file', 'store', 'session'].map((kind) => labels.of(kind).entries().length);
    return [ok('labels', `${counts.reduce((sum, each) => sum + each)} in ${tables.path}`)];
  } catch (error) {
    const { message, fix = '' } = BulkheadError.from(error);
    return [bad('labels', message, fix)];
  }
}

async function agreementRows(audit: string, path: string, known: ReadOnlyLog): Promise<readonly Check[]> {
  using stack = new DisposableStack();
  let later: ReadOnlyLog | undefined;
  const { losses, entries, problems } = await checkLogs(audit, {
    mark: () => known.mark(),
    positions: () => known.positions(),
    recordsAfter: (...query) => (later ?? known).recordsAfter(...query),
    // Called first after the whole tail was read.
    standing: (id) => {
      later ??= stack.use(reopened(path));
      return later.standing(id);
    },
  });
  const undecided = [...known.losses()].map(([id, text]) => [id, readLoss(text)] as const);
  const rows = [...new Map([...undecided, ...losses])].map(([id, loss]) =>
    bad(
      'session that lost records',
      describeLoss(id, loss),
      `Restore a backup of ${path}. Or go on without what is missing: \`bulkhead start --daemon\`, then \`bulkhead sessions accept-loss ${id}\`.`,
    ),
  );
  for (const problem of problems)
    rows.push(bad('logs', problem, `Restore ${audit} from a backup, or see \`bulkhead audit verify\`.`));
  if (rows.length > 0) return rows;
  return [ok('logs', `session logs and audit log agree (${entries} entries compared)`)];
}

function reopened(path: string): ReadOnlyLog {
  const log = openReadOnlyLog(path);
  if (log === undefined) throw new BulkheadError('store_corrupt', `${path} changed its version`);
  return log;
}

function ok(name: string, detail: string): Check {
  return { name, state: 'ok', detail, fix: '' };
}

function bad(name: string, detail: string, fix: string): Check {
  return { name, state: 'bad', detail, fix };
}
