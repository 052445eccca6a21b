import type { Clock, HomeLayout, IdSource } from '@bulkhead/protocol';
import { openAccessDatabase } from '../access/access-database.ts';
import { AccessDesk } from '../access/access-desk.ts';
import type { AuditSink } from '../pipeline/action-trail.ts';
import type { KnownSecrets } from '../redaction/known-secrets.ts';

/**
 * Who may come in over HTTP. Its secrets are redacted wherever anything is written.
 * @throws BulkheadError `store_corrupt`
 */
export function openAccess(
  parts: {
    readonly layout: HomeLayout;
    readonly clock: Clock;
    readonly ids: IdSource;
    readonly secrets: KnownSecrets;
    readonly audit: AuditSink;
  },
  stack: AsyncDisposableStack,
): AccessDesk {
  const { layout, clock, ids, secrets, audit } = parts;
  const database = stack.use(openAccessDatabase(layout.access));
  return new AccessDesk({
    database,
    tokenPath: layout.accessToken,
    audit,
    clock,
    ids,
    onSecret: (secret) => secrets.add(secret),
  });
}
