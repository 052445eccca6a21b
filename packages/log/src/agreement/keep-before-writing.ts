import { bytesOf, damagedCopies, keepDamagedCopy } from '@bulkhead/home/folder/damaged-copies';
import { type Clock, describeError, type HomeLayout } from '@bulkhead/protocol';
import { openReadOnlyLog } from '@bulkhead/sessions';
import { checkLogs } from './check-logs.ts';
import { describeLoss, lossText } from './loss.ts';

/** A database with its write-ahead log whose pages are all looked at, bytes: a fraction of a second. */
const MAX_CHECKED_BYTES = 256 * 1024 * 1024;

/**
 * Looks at the session database before it is opened for writing, as SQLite reads it, and copies it if its write-ahead log holds less than the
 * audit log names, or its pages do not fit together, as those of an older file with a newer write-ahead log. The first write goes over what
 * SQLite left out. After an orderly end there is no write-ahead log and nothing to look at.
 *
 * @returns what a person should know; none if nothing is missing that was not known before
 * @throws BulkheadError `store_failed` if there is no room for a copy
 */
export async function keepBeforeWriting(layout: HomeLayout, clock: Clock): Promise<readonly string[]> {
  if (bytesOf(layout.database) === 0 || bytesOf(`${layout.database}-wal`) === 0) return [];
  const { lost, broken } = await lookBefore(layout);
  if (lost.length + broken.length === 0) return [];
  const said = broken.map(
    (problem) => `${problem}. See \`bulkhead doctor\`, and restore a backup of ${layout.database}`,
  );
  const note = `${[...lost, ...broken].join('\n')}\n`;
  // Pages that stay as they are would take the place of the first copy at each start after a crash.
  if (lost.length === 0 && damagedCopies(layout).some((copy) => copy.lost === note)) return said;
  const { name, isWhole } = keepDamagedCopy(layout, note, clock);
  const what = isWhole ? 'the session database' : 'the write-ahead log of the session database';
  const kept = `a copy of ${what} as it was found is in ${layout.damaged}/${name}; \`bulkhead doctor --remove-copy ${name}\` removes it`;
  return [...said, kept];
}

interface LookBefore {
  /** Sessions with what they lost, a line each. */
  readonly lost: readonly string[];
  /** Problems of the whole file. */
  readonly broken: readonly string[];
}

/** A log that can't be compared may have lost something. */
async function lookBefore(layout: HomeLayout): Promise<LookBefore> {
  const { database } = layout;
  try {
    using log = openReadOnlyLog(database, true);
    if (log === undefined) return { lost: [], broken: [] };
    const isSmall = bytesOf(database) + bytesOf(`${database}-wal`) <= MAX_CHECKED_BYTES;
    const [problem] = isSmall ? log.problems : [];
    const { losses } = await checkLogs(layout.audit, log);
    const known = log.losses();
    return {
      lost: [...losses].flatMap(([id, loss]) =>
        known.get(id) === lossText(loss) ? [] : [describeLoss(id, loss)],
      ),
      broken:
        problem === undefined
          ? []
          : [`session database ${database}: pages do not fit together: ${problem.replaceAll('\n', ' ')}`],
    };
  } catch (error) {
    return {
      lost: [],
      broken: [`session database ${database} can't be compared with the audit log: ${describeError(error)}`],
    };
  }
}
