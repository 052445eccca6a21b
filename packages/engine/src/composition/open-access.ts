import { existsSync } from 'node:fs';
import type { AuditSink } from '@bulkhead/audit';
import type { Clock, HomeLayout, IdSource, MachineClock } from '@bulkhead/protocol';
import { openAccessDatabase } from '../access/access-database.ts';
import { AccessDesk } from '../access/access-desk.ts';
import { cannotWrite } from '../home/open-own-database.ts';
import type { KnownSecrets } from '../redaction/known-secrets.ts';
import type { ConfirmedTime } from '../time/confirmed-time.ts';

/**
 * Who may come in over HTTP. Its secrets are redacted wherever anything is written.
 * @throws BulkheadError `store_corrupt`
 */
export function openAccess(
  parts: {
    readonly layout: HomeLayout;
    /** The home itself, if `layout` leads to copies. */
    readonly home: HomeLayout | undefined;
    readonly clock: Clock;
    readonly machine: MachineClock;
    readonly time: ConfirmedTime;
    readonly ids: IdSource;
    readonly secrets: KnownSecrets;
    readonly audit: AuditSink;
  },
  stack: AsyncDisposableStack,
): AccessDesk {
  const { layout, home, clock, machine, time, ids, secrets, audit } = parts;
  const database = stack.use(openAccessDatabase(layout.access));
  return new AccessDesk({
    database,
    ...(home === undefined ? {} : { home: { remove: (ids) => removeAt(home.access, ids) } }),
    tokenPath: layout.accessToken,
    audit,
    clock,
    machine,
    time,
    ids,
    onSecret: (secret) => secrets.add(secret),
  });
}

/** @throws BulkheadError `store_failed` */
function removeAt(path: string, ids: readonly string[]): void {
  try {
    if (!existsSync(path)) throw new Error('it is missing');
    using database = openAccessDatabase(path);
    database.remove(ids);
  } catch (cause) {
    throw cannotWrite(path, cause);
  }
}
