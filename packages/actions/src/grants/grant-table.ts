import { BulkheadError, describeError } from '@bulkhead/protocol';
import type { Tables } from '@bulkhead/sessions';
import * as z from 'zod';
import type { Grant } from './grant.ts';

/** The stored grants. Every change is on the disk when it returns. */
export interface GrantTable {
  /** @throws BulkheadError `store_failed` */
  add(grant: Grant): void;
  /** @returns false if there is none. @throws BulkheadError `store_failed` */
  remove(id: string): boolean;
  /** Oldest first, without those that can't be read: they serve nothing. @throws BulkheadError `store_corrupt` */
  all(): readonly Grant[];
}

const stored = z.strictObject({
  kind: z.enum(['hosts', 'toolchain', 'folder', 'secret-file']),
  targets: z.array(z.string()).min(1),
  identities: z.array(z.string()).optional(),
  write: z.literal(true).optional(),
  pattern: z.string().optional(),
  command: z.string().optional(),
  holder: z.strictObject({ sender: z.string(), channel: z.string(), profile: z.string() }),
  by: z.string(),
});

const row = z.object({
  id: z.string(),
  scope: z.enum(['session', 'folder', 'home']),
  session: z.string(),
  folder: z.string(),
  identity: z.string(),
  at: z.number(),
  body: z.string(),
});

/**
 * Grants of a session are deleted with it.
 *
 * @param onUnreadable called once for each stored grant that can't be read
 */
export function createGrantTable(
  { prepare, write, onSessionDeleted, path }: Tables,
  onUnreadable: (problem: string) => void,
): GrantTable {
  const insert = prepare(
    'INSERT INTO grants (id, scope, session, folder, identity, at, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const remove = prepare('DELETE FROM grants WHERE id = ?');
  const ofSession = prepare("DELETE FROM grants WHERE scope = 'session' AND session = ?");
  const select = prepare('SELECT id, scope, session, folder, identity, at, body FROM grants ORDER BY at, id');
  const unreadable = new Set<string>();
  const read = (each: unknown): readonly Grant[] => {
    try {
      return [grantOf(each)];
    } catch (error) {
      const { data } = z.object({ id: z.string() }).safeParse(each);
      const problem = `${path}: grant ${data?.id ?? 'without id'} can't be read: ${describeError(error)}`;
      if (!unreadable.has(problem)) onUnreadable(problem);
      unreadable.add(problem);
      return [];
    }
  };
  onSessionDeleted((session) => void ofSession.run(session));
  return {
    add: ({ id, scope, session, folder, identity, at, ...body }) =>
      write(true, () => void insert.run(id, scope, session, folder, identity, at, JSON.stringify(body))),
    remove: (id) => write(true, () => remove.run(id).changes === 1),
    all: () => {
      try {
        return select.all().flatMap(read);
      } catch (cause) {
        throw new BulkheadError('store_corrupt', `${path}: the grants can't be read`, { cause });
      }
    },
  };
}

/** @throws for a row that is no grant */
function grantOf(each: unknown): Grant {
  const { body, ...fixed } = row.parse(each);
  const { identities, write, pattern, command, ...said } = stored.parse(JSON.parse(body));
  if (fixed.scope === 'home' && said.kind !== 'toolchain') throw new Error('it is for every folder');
  return {
    ...fixed,
    ...said,
    ...(identities === undefined ? {} : { identities }),
    ...(write === undefined ? {} : { write }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(command === undefined ? {} : { command }),
  };
}
