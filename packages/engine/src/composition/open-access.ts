import type { AuditSink } from '@bulkhead/audit';
import type { Clock, HomeLayout, IdSource, MachineClock } from '@bulkhead/protocol';
import { openAccessDatabase } from '../access/access-database.ts';
import { AccessDesk } from '../access/access-desk.ts';
import type { KnownSecrets } from '../redaction/known-secrets.ts';
import type { ConfirmedTime } from '../time/confirmed-time.ts';

/**
 * Who may come in over HTTP. Its secrets are redacted wherever anything is written.
 * @throws BulkheadError `store_corrupt`
 */
export function openAccess(
  parts: {
    readonly layout: HomeLayout;
    readonly clock: Clock;
    readonly machine: MachineClock;
    readonly time: ConfirmedTime;
    readonly ids: IdSource;
    readonly secrets: KnownSecrets;
    readonly audit: AuditSink;
  },
  stack: AsyncDisposableStack,
): AccessDesk {
  const { layout, clock, machine, time, ids, secrets, audit } = parts;
  const database = stack.use(openAccessDatabase(layout.access));
  return new AccessDesk({
    database,
    tokenPath: layout.accessToken,
    audit,
    clock,
    machine,
    time,
    ids,
    onSecret: (secret) => secrets.add(secret),
  });
}
