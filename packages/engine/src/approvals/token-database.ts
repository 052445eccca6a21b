import { DatabaseSync } from 'node:sqlite';
import { BulkheadError, describeError } from '@bulkhead/protocol';

/** Version of the table. Others are refused. */
const VERSION = 1;

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
  const database = open(path, now);
  const insert = database.prepare('INSERT INTO tokens (nonce, expires) VALUES (?, ?)');
  const mark = database.prepare('UPDATE tokens SET used = ? WHERE nonce = ? AND used IS NULL');
  const writing = <Result>(write: () => Result): Result => {
    try {
      return write();
    } catch (cause) {
      throw new BulkheadError('store_failed', `can't write approvals to ${path}: ${describeError(cause)}`, {
        cause,
      });
    }
  };
  return {
    add: (nonce, expires) => writing(() => void insert.run(nonce, expires)),
    // One statement is one transaction: of several that try, one changes the row.
    use: (nonce, at) => writing(() => mark.run(at, nonce).changes === 1),
    [Symbol.dispose]: () => database.close(),
  };
}

/** `synchronous = NORMAL`: a power cut may take the last rows, and ends the engine whose key signed them. */
function open(path: string, now: number): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 5_000 });
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
    if (version !== 0 && version !== VERSION)
      throw new Error(`it has version ${String(version)}, and this engine knows ${VERSION}`);
    database.exec(
      `CREATE TABLE IF NOT EXISTS tokens (nonce TEXT PRIMARY KEY, expires INTEGER NOT NULL, used INTEGER) STRICT, WITHOUT ROWID;
       PRAGMA user_version = ${VERSION}`,
    );
    database.prepare('DELETE FROM tokens WHERE expires <= ?').run(now);
    return database;
  } catch (cause) {
    database?.close();
    throw new BulkheadError(
      'store_corrupt',
      `the approvals in ${path} can't be read: ${describeError(cause)}`,
      {
        cause,
        fix: 'Move the file away: no approval outlives an engine.',
      },
    );
  }
}
