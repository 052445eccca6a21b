import { statSync } from 'node:fs';
import { type Clock, describeError, type HomeLayout } from '@bulkhead/protocol';
import { openReadOnlyLog } from '@bulkhead/sessions';
import { keepDamagedCopy } from '../home/damaged-copies.ts';
import { checkLogs } from './check-logs.ts';
import { describeLoss, lossText } from './loss.ts';

/**
 * Looks at the session database before it is opened for writing, as SQLite reads it, and copies it if its write-ahead log holds less than the
 * audit log names. The first write goes over what SQLite left out. After an orderly end there is no write-ahead log and nothing to look at.
 *
 * @returns what a person should know; undefined if nothing is missing that was not known before
 * @throws BulkheadError `store_failed` if there is no room for a copy
 */
export async function keepBeforeWriting(layout: HomeLayout, clock: Clock): Promise<string | undefined> {
  if (sizeOf(layout.database) === 0 || sizeOf(`${layout.database}-wal`) === 0) return undefined;
  const lost = await newLosses(layout);
  if (lost.length === 0) return undefined;
  const { name, isWhole } = keepDamagedCopy(layout, `${lost.join('\n')}\n`, clock);
  const what = isWhole ? 'the session database' : 'the write-ahead log of the session database';
  return `a copy of ${what} as it was found is in ${layout.damaged}/${name}; \`bulkhead doctor --remove-copy ${name}\` removes it`;
}

/** What can't be compared may have lost something. */
async function newLosses(layout: HomeLayout): Promise<readonly string[]> {
  try {
    using log = openReadOnlyLog(layout.database, true);
    if (log === undefined) return [];
    const { losses } = await checkLogs(layout.audit, log);
    const known = log.losses();
    return [...losses].flatMap(([id, loss]) =>
      known.get(id) === lossText(loss) ? [] : [describeLoss(id, loss)],
    );
  } catch (error) {
    return [`it could not be compared with the audit log: ${describeError(error)}`];
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
