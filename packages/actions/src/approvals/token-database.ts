import { openOwnDatabase, writeOwn } from '@bulkhead/home/folder/open-own-database';
import { BulkheadError } from '@bulkhead/protocol';

const TABLES =
  'CREATE TABLE IF NOT EXISTS tokens (nonce TEXT PRIMARY KEY, expires INTEGER NOT NULL, used INTEGER) STRICT, WITHOUT ROWID';

/** Which tokens there are, and which of them were used. Holds nothing of what they allow: that is in the signed token. */
export interface TokenDatabase extends Disposable {
  /** @param expires milliseconds since the epoch. @throws BulkheadError `store_failed` */
  add(nonce: string, expires: number): void;
  /**
   * Marks a token as used, in one transaction, whoever else has the database open.
   * @returns false if it was used before, or was never added
   * @throws BulkheadError `store_failed`: it is not known then whether it is marked
   */
  use(nonce: string, now: number): boolean;
}

/**
 * Opens the tokens at `path`, making the file if there is none. What has expired by `now` is forgotten: a token that is not in
 * the table can't be used.
 *
 * @param path `:memory:` for tokens that no other connection shares
 * @throws BulkheadError `store_corrupt`
 */
export function openTokenDatabase(path: string, now: number): TokenDatabase {
  const database = openOwnDatabase({
    path,
    version: 1,
    tables: TABLES,
    // A power cut may take the last rows, and ends the engine whose key signed them.
    synchronous: 'NORMAL',
    check: (opened) => void opened.prepare('DELETE FROM tokens WHERE expires <= ?').run(now),
    damaged: (reason, cause) =>
      new BulkheadError('store_corrupt', `the approvals in ${path} can't be read: ${reason}`, {
        cause,
        fix: 'Move the file away: no approval outlives an engine.',
      }),
  });
  const insert = database.prepare('INSERT INTO tokens (nonce, expires) VALUES (?, ?)');
  const mark = database.prepare('UPDATE tokens SET used = ? WHERE nonce = ? AND used IS NULL');
  return {
    add: (nonce, expires) => void writeOwn(path, () => insert.run(nonce, expires)),
    // One statement is one transaction: of several that try, one changes the row.
    use: (nonce, at) => writeOwn(path, () => mark.run(at, nonce).changes === 1),
    [Symbol.dispose]: () => database.close(),
  };
}
