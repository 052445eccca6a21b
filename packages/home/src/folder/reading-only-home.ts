import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { BulkheadError, describeError, type HomeLayout, homeLayout } from '@bulkhead/protocol';
import { acquireInstanceLock } from '@bulkhead/sessions/instance-lock';
import { sideDatabasesIn } from '@bulkhead/sessions/side-databases';
import { makeRuntimeFolder } from './runtime-folder.ts';

export interface ReadingOnlyHome extends Disposable {
  /** The home, with copies of all that an open engine writes to. */
  readonly layout: HomeLayout;
}

/**
 * Lets an engine read a home that can't be written. SQLite needs files beside a database to read
 * its write-ahead log, and the audit log is repaired when it is opened: both happen in temporary
 * copies outside the home. Large contents, outputs and profiles are read in place.
 *
 * @throws BulkheadError `already_running`, or `not_available` if there is no room for the copies
 */
export function openReadingOnlyHome(home: HomeLayout): ReadingOnlyHome {
  const run = makeRuntimeFolder(home.root);
  using stack = new DisposableStack();
  stack.defer(() => rmSync(run, { recursive: true, force: true }));
  stack.use(acquireInstanceLock(`${run}/engine.lock`, home.root));
  const copies = homeLayout(`${run}/copies`);
  try {
    rmSync(copies.root, { recursive: true, force: true });
    mkdirSync(copies.run, { recursive: true, mode: 0o700 });
    for (const folder of [copies.scratch, copies.fetched]) mkdirSync(folder, { mode: 0o700 });
    for (const database of [home.database, home.access]) copyDatabase(database, copies.state);
    for (const file of sideDatabasesIn(home.state))
      copyDatabase(`${home.state}/${file}`, dirname(`${copies.state}/${file}`));
    for (const path of [home.audit, home.trust, home.accessToken, home.clock])
      if (existsSync(path)) cpSync(path, `${copies.state}/${basename(path)}`, { recursive: true });
  } catch (cause) {
    throw new BulkheadError(
      'not_available',
      `the home ${home.root} can't be written, nor read by way of ${run}: ${describeError(cause)}`,
      {
        fix: 'Free some space on one of the two disks.',
        cause,
      },
    );
  }
  const { chronicle, logs, outputs, root, config, secrets, policies, profiles, mark } = home;
  const kept = stack.move();
  return {
    layout: {
      ...copies,
      ...{ chronicle, logs, outputs, root, config, secrets, policies, profiles, mark },
      run,
      socket: `${run}/engine.sock`,
      token: `${run}/token`,
      lock: `${run}/engine.lock`,
    },
    [Symbol.dispose]: () => kept.dispose(),
  };
}

/** With its write-ahead log, but without that log's index, which is rebuilt. */
function copyDatabase(path: string, folder: string): void {
  const name = basename(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const each of [name, `${name}-wal`]) {
    const from = `${path}${each.slice(name.length)}`;
    if (existsSync(from)) cpSync(from, `${folder}/${each}`);
  }
}
