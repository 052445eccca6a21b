import { OpenedObjects } from '@bulkhead/home/storage/opened-objects';
import { describeStorage, Storage, type StoragePlace } from '@bulkhead/home/storage/storage';
import { writeProbe } from '@bulkhead/home/storage/write-probe';
import { type Clock, type HomeLayout, systemTimers } from '@bulkhead/protocol';
import type { Logger } from 'pino';

/** Watches the disks of a home that is locked and whose databases are open. */
export function openStorage(parts: {
  readonly layout: HomeLayout;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  readonly restarted: boolean;
  readonly reopen: () => void;
}): Storage {
  const { layout, clock, logger } = parts;
  const opened = new OpenedObjects([layout.root, layout.database, layout.audit]);
  return new Storage({
    places: placesOf(layout),
    clock,
    timers: systemTimers,
    probe: writeProbe,
    gone: () => opened.gone(),
    wasReopened: parts.restarted,
    reopen: () => {
      logger.info('the disk can be written again: the engine starts anew to read what is on it');
      parts.reopen();
    },
    changed: (problems) => {
      if (problems.length === 0) logger.info('every disk can be written again: work goes on');
      for (const text of describeStorage(problems)) logger.error(text);
    },
  });
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
