import { existsSync } from 'node:fs';
import { cannotWrite, openAccessDatabase } from '@bulkhead/actions/access/access-database';
import { AccessService } from '@bulkhead/actions/access/access-service';
import type { AuditSink } from '@bulkhead/audit';
import type { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import type { KnownSecrets } from '@bulkhead/log/redaction/known-secrets';
import type { Clock, HomeLayout, IdSource, MachineClock } from '@bulkhead/protocol';

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
): AccessService {
  const { layout, home, clock, machine, time, ids, secrets, audit } = parts;
  const database = stack.use(openAccessDatabase(layout.access));
  return new AccessService({
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
