import type { Clock, HomeLayout, MachineClock, Redaction, Timers } from '@bulkhead/protocol';
import type { Logger } from 'pino';
import { openLogger } from './logging/open-logger.ts';
import type { OpenedHome } from './open-home.ts';
import { OpenedObjects } from './storage/opened-objects.ts';
import { describeStorage, Storage, type StoragePlace } from './storage/storage.ts';
import { writeProbe } from './storage/write-probe.ts';
import { ConfirmedTime } from './time/confirmed-time.ts';

/**
 * The base of an engine: its home, its own log, its disks, and time independent of the wall clock.
 */
export interface Home {
  /** The folders that the engine uses. */
  readonly layout: HomeLayout;
  /**
   * The home itself: differs from `layout` if that has copies, because the home can't be written.
   */
  readonly original: HomeLayout;
  readonly logger: Logger;
  readonly machine: MachineClock;
  readonly time: ConfirmedTime;
  readonly storage: Storage;
  /** Registers opened files: from then on, work is refused if one of them is gone or replaced. */
  readonly opened: Pick<OpenedObjects, 'add'>;
  /** Facts about the home for the user. */
  readonly notices: readonly string[];
}

/**
 * Opens the engine's log, checks clocks and disks from now on, and logs the findings from locking
 * the home.
 *
 * @param stack closes them
 * @param config.reopen starts the engine again: the disk can be written, and its content must be
 *   read again
 */
export function createHome(
  seams: { readonly clock: Clock; readonly timers: Timers; readonly machine: MachineClock },
  config: {
    readonly locked: OpenedHome;
    readonly redaction: Redaction;
    readonly restarted: boolean;
    readonly reopen: () => void;
  },
  stack: AsyncDisposableStack,
): Home {
  const { clock, timers, machine } = seams;
  const { layout, readingOnly, refilled, isReplaced, untraced } = config.locked;
  const { logger } = openLogger(layout, config.redaction, clock, stack);
  if (refilled.length > 0)
    logger.warn(
      { policies: refilled },
      'a power cut had emptied policies of a new home; they have the shipped text again',
    );
  if (isReplaced) logger.warn(REPLACED_HOME);
  if (untraced !== undefined)
    logger.warn({ err: untraced }, 'no record outside the home says that it is here');
  const time = stack.use(
    ConfirmedTime.open({
      path: layout.clock,
      clock,
      machine,
      timers,
      warn: (problem) => logger.warn({ problem }, 'the clock'),
      inform: (what) => logger.info({ what }, 'the clock'),
    }),
  );
  const original = readingOnly?.home ?? layout;
  const opened = new OpenedObjects([original.root]);
  const storage = stack.use(
    new Storage({
      places: placesOf(original),
      clock,
      timers,
      probe: writeProbe,
      gone: () => opened.gone(),
      wasReopened: config.restarted,
      reopen: () => {
        logger.info('the disk can be written again: the engine starts anew to read what is on it');
        config.reopen();
      },
      changed: (problems) => {
        if (problems.length === 0) logger.info('every disk can be written again: work goes on');
        for (const text of describeStorage(problems)) logger.error(text);
      },
    }),
  );
  if (readingOnly !== undefined) storage.beginReadingOnly(readingOnly.error);
  return {
    layout,
    original,
    logger,
    machine,
    time,
    storage,
    opened,
    notices: isReplaced ? [REPLACED_HOME] : [],
  };
}

function placesOf(layout: HomeLayout): readonly StoragePlace[] {
  const { root, state } = layout;
  return [
    { name: 'home', path: root, folder: state },
    { name: 'session database', path: layout.database, folder: state },
    { name: 'audit log', path: layout.audit, folder: layout.audit },
    { name: 'access database', path: layout.access, folder: state },
    { name: 'chronicle', path: layout.chronicle, folder: layout.chronicle },
    { name: 'folder of outputs', path: layout.outputs, folder: layout.outputs },
    { name: 'folder of profiles and memory', path: layout.profiles, folder: layout.profiles },
  ];
}

const REPLACED_HOME =
  'this home is not the one that was used here before: that one was removed or replaced. A backup has to be put back by you.';
