import type { LogAgreement, LogStanding } from '../log-agreement.ts';
import type { NewRecord, StoredRecord } from '../session-store.ts';
import { noLoss } from '../store-errors.ts';
import type { Connection } from './connection.ts';
import { recordsAfter } from './read-log.ts';
import { LOSS, MARK, type SessionDirectory, type StoredHead } from './session-directory.ts';

/** Appends records to a session's log, with another change in the same durable commit. */
type CommitWith = (
  stored: StoredHead,
  records: readonly NewRecord[],
  also: () => void,
) => readonly StoredRecord[];

/** The positions on disk, and the result of a comparison with another log. */
export class SqliteAgreement implements LogAgreement {
  readonly #connection: Connection;
  readonly #directory: SessionDirectory;
  readonly #commit: CommitWith;
  /**
   * For sessions with commits that did not wait for the disk: the position before the first of
   * them, by key.
   */
  readonly #unflushed = new Map<number, number>();
  /** False until the first durable commit: an earlier process's writes may not be on disk yet. */
  #flushed = false;

  constructor(connection: Connection, directory: SessionDirectory, commit: CommitWith) {
    this.#connection = connection;
    this.#directory = directory;
    this.#commit = commit;
  }

  /**
   * Called for each commit. One that waited for the disk made all earlier ones durable. @param
   * before the session before the commit
   */
  committed(before: StoredHead, durable: boolean): void {
    if (durable) this.#allFlushed();
    else if (!this.#unflushed.has(before.key)) this.#unflushed.set(before.key, before.head.lastPos);
  }

  /** Brings all earlier commits to the disk, without blocking the thread. */
  async flush(): Promise<void> {
    // Commits during the flush are not part of it.
    const begun = [...this.#unflushed.keys()].map(
      (key) => [key, this.#directory.at(key)?.head.lastPos ?? 0] as const,
    );
    await this.#connection.flush();
    this.#flushed = true;
    for (const [key, lastPos] of begun) this.#flushedTo(key, lastPos);
  }

  flushedPos(sessionId: string): number {
    const stored = this.#directory.get(sessionId);
    if (stored === undefined || !this.#flushed) return 0;
    return this.#unflushed.get(stored.key) ?? stored.head.lastPos;
  }

  standing(sessionId: string): LogStanding {
    return this.#read(() => this.#directory.standing(sessionId));
  }

  positions(): ReadonlyMap<string, number> {
    return this.#read(() => this.#directory.positions);
  }

  recordsAfter(sessionId: string, pos: number, limit: number): readonly StoredRecord[] {
    return this.#read(() => {
      const stored = this.#directory.get(sessionId);
      return stored === undefined ? [] : recordsAfter(this.#connection.statements, stored, { pos }, limit);
    });
  }

  mark(): string | undefined {
    return this.#read(() => this.#directory.mark);
  }

  setMark(text: string): void {
    this.#connection.write(true, () => this.#connection.statements.setAgreement.run(MARK, text));
    this.#allFlushed();
  }

  checkpoint(): boolean {
    const { database, guard } = this.#connection;
    return guard(() => database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0);
  }

  losses(): ReadonlyMap<string, string> {
    return this.#read(() => new Map(this.#directory.losses));
  }

  noteLosses(losses: ReadonlyMap<string, string>): void {
    const { write, statements } = this.#connection;
    this.#read(() =>
      write(true, () => {
        for (const [id, text] of losses) statements.setAgreement.run(`${LOSS}${id}`, text);
      }),
    );
    for (const [id, text] of losses) this.#directory.setLoss(id, text);
    this.#allFlushed();
  }

  acceptLoss(sessionId: string, records: readonly NewRecord[]): readonly StoredRecord[] {
    const { write, statements } = this.#connection;
    const remove = (): void => void statements.removeAgreement.run(`${LOSS}${sessionId}`);
    return this.#read(() => {
      if (!this.#directory.losses.has(sessionId)) throw noLoss(sessionId);
      const stored = this.#directory.get(sessionId);
      const appended = stored === undefined ? [] : this.#commit(stored, records, remove);
      if (stored === undefined) write(true, remove);
      this.#directory.setLoss(sessionId, undefined);
      return appended;
    });
  }

  #read<T>(action: () => T): T {
    return this.#connection.guard(() => {
      this.#directory.refresh();
      return action();
    });
  }

  #flushedTo(key: number, lastPos: number): void {
    const before = this.#unflushed.get(key);
    if (before === undefined) return;
    if (this.#directory.at(key)?.head.lastPos === lastPos) this.#unflushed.delete(key);
    else this.#unflushed.set(key, Math.max(before, lastPos));
  }

  #allFlushed(): void {
    this.#unflushed.clear();
    this.#flushed = true;
  }
}
