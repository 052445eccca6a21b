import { existsSync } from 'node:fs';
import { cannotWrite, openAccessDatabase } from '@bulkhead/actions/access/access-database';
import { AccessService } from '@bulkhead/actions/access/access-service';
import type { Home } from '@bulkhead/home/create-home';
import type { Context } from '@bulkhead/log/context';
import type { KnownSecrets } from '@bulkhead/log/redaction/known-secrets';

/**
 * Opens the access store for HTTP. Its secrets are redacted in all output.
 * @throws BulkheadError `store_corrupt`
 */
export function openAccess(
  context: Context,
  { home, secrets }: { readonly home: Home; readonly secrets: KnownSecrets },
  stack: AsyncDisposableStack,
): AccessService {
  const { layout, original, machine, time } = home;
  const database = stack.use(openAccessDatabase(layout.access));
  return new AccessService(context, {
    database,
    ...(original === layout ? {} : { home: { remove: (ids) => removeAt(original.access, ids) } }),
    tokenPath: layout.accessToken,
    machine,
    time,
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
