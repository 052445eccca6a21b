import { BulkheadError } from '@bulkhead/protocol';
import type { Connection } from './connection.ts';
import type { SessionDirectory, StoredHead } from './session-directory.ts';

/**
 * Limits damage to its session: the reader of a damaged row gets `store_corrupt`, and the session
 * is closed to reading and writing from then on. Nothing is repaired or overwritten.
 */
export class Quarantine {
  readonly #connection: Connection;
  readonly #directory: SessionDirectory;

  constructor(connection: Connection, directory: SessionDirectory) {
    this.#connection = connection;
    this.#directory = directory;
  }

  /**
   * Runs `action` on a session without known damage.
   * @throws BulkheadError `not_found`, `store_corrupt`, and errors of `action`
   */
  within<T>(sessionId: string, action: (stored: StoredHead) => T): T {
    return this.#connection.guard(() => {
      this.#directory.refresh();
      const stored = this.#directory.find(sessionId);
      if (stored.head.info.damage !== '') throw underQuarantine(sessionId, stored.head.info.damage);
      try {
        return this.#connection.guard(() => action(stored));
      } catch (error) {
        this.#note(stored.key, error);
        throw error;
      }
    });
  }

  /**
   * The results of `action` for every sound session; one that turns out to be damaged is left out.
   */
  overAll<T>(action: (stored: StoredHead) => readonly T[]): readonly T[] {
    return this.#directory.all().flatMap((stored) => this.orNothing(stored.key, () => action(stored)) ?? []);
  }

  /** As `within`, but undefined for a damaged session. */
  orNothing<T>(key: number, action: () => T): T | undefined {
    const stored = this.#directory.at(key);
    if (stored === undefined || stored.head.info.damage !== '') return undefined;
    try {
      return this.#connection.guard(action);
    } catch (error) {
      this.#note(key, error);
      if (isCorrupt(error)) return undefined;
      throw error;
    }
  }

  #note(key: number, error: unknown): void {
    if (!BulkheadError.is(error) || error.code === 'store_failed') this.#directory.forget();
    if (!isCorrupt(error)) return;
    this.#add(key, error.message);
    const session = error.details['session'];
    const other = typeof session === 'string' ? this.#directory.get(session) : undefined;
    if (other !== undefined && other.key !== key) this.#add(other.key, error.message);
  }

  #add(key: number, why: string): void {
    if (this.#directory.at(key)?.head.info.damage !== '') return;
    this.#directory.markDamaged(key, why);
    try {
      this.#connection.write(true, () => this.#connection.statements.addQuarantine.run(key, why));
    } catch {
      // The disk or file is too damaged to record it: it stays recorded in memory.
    }
  }
}

export function isCorrupt(error: unknown): error is BulkheadError {
  return BulkheadError.is(error) && error.code === 'store_corrupt';
}

function underQuarantine(sessionId: string, why: string): BulkheadError {
  return new BulkheadError('store_corrupt', `session ${sessionId} is under quarantine: ${why}`, {
    fix: 'It was left as it is; other sessions are not affected. Restore a backup to get this one back.',
    details: { session: sessionId },
  });
}
