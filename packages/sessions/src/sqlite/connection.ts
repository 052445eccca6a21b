import type { DatabaseSync } from 'node:sqlite';
import { BulkheadError, describeError, faultPoint } from '@bulkhead/protocol';
import { storeClosed } from '../store-errors.ts';
import { fromSqliteError, isDiskError } from './sqlite-error.ts';
import { prepareStatements, type Statements } from './statements.ts';
import { WalFlush } from './wal-flush.ts';

/** A database and its statements: converts SQLite's errors to ours, and makes changes atomic. */
export interface Connection {
  readonly database: DatabaseSync;
  readonly path: string;
  readonly statements: Statements;
  guard<T>(action: () => T): T;
  /**
   * Runs `change` in a transaction, or in the current one. Earlier changes become durable with the
   * next durable one.
   */
  write<T>(durable: boolean, change: () => T): T;
  /** Resolves once all earlier commits are on disk, without blocking the thread. */
  flush(): Promise<void>;
  close(): void;
}

/** @param beforeDurable called before each durable change; if it throws, the change is refused */
export function connect(
  database: DatabaseSync,
  path: string,
  beforeDurable: () => void = () => {},
): Connection {
  const guard = <T>(action: () => T): T => {
    if (!database.isOpen) throw storeClosed();
    try {
      return action();
    } catch (error) {
      throw fromSqliteError(error, path);
    }
  };
  const statements = guard(() => prepareStatements(database));
  let failure: BulkheadError | undefined;
  let durableNow = true;

  const setDurable = (durable: boolean): void => {
    if (durable === durableNow) return;
    database.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
    durableNow = durable;
  };

  const refuse = (durable: boolean): void => {
    if (failure !== undefined) throw failure;
    if (durable) beforeDurable();
  };

  const commit = <T>(durable: boolean, change: () => T): T => {
    refuse(durable);
    try {
      setDurable(durable);
      statements.begin.run();
      const result = change();
      faultPoint('store.before_commit');
      statements.commit.run();
      faultPoint('store.after_commit');
      return result;
    } catch (error) {
      if (isDiskError(error)) failure = fromSqliteError(error, path);
      if (database.isTransaction) rollBack(statements, path, error);
      throw error;
    }
  };

  /** Joins the current transaction, whose durability was decided when it began. */
  const join = <T>(durable: boolean, change: () => T): T => {
    if (durable && !durableNow) throw new Error('a durable change within one that is not');
    return change();
  };

  const write = <T>(durable: boolean, change: () => T): T =>
    guard(() => (database.isTransaction ? join(durable, change) : commit(durable, change)));

  const wal = new WalFlush(`${path}-wal`);
  const flush = async (): Promise<void> => {
    if (failure !== undefined) throw failure;
    try {
      await wal.flush();
    } catch (error) {
      // As after a failed commit: the kernel has dropped pages, and a later flush would seem to
      // succeed.
      failure ??= fromSqliteError(error, path);
      throw failure;
    }
  };
  const close = (): void => {
    wal.close();
    if (database.isOpen) database.close();
  };

  return { database, path, statements, guard, write, flush, close };
}

function rollBack(statements: Statements, path: string, cause: unknown): void {
  try {
    statements.rollback.run();
  } catch (error) {
    throw new BulkheadError(
      'store_failed',
      `the session database ${path} failed (${describeError(cause)}) and could not go back: ${describeError(error)}`,
      { cause: error },
    );
  }
}
