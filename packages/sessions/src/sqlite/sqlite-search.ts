import { BulkheadError, describeError } from '@bulkhead/protocol';
import { entryFromRow, type RecordRow } from '../record-row.ts';
import { firstHits } from '../search/first-hits.ts';
import { hitOf } from '../search/hit.ts';
import { wordsOf } from '../search/match-words.ts';
import { SEARCH_SCHEMA, SearchIndex } from '../search/search-index.ts';
import { searchTextOf } from '../search/search-text.ts';
import type { SearchHit } from '../session-store.ts';
import type { Connection } from './connection.ts';
import type { Quarantine } from './quarantine.ts';
import { integer, readRecord } from './read-row.ts';
import type { SessionDirectory, StoredHead } from './session-directory.ts';

/** A message's number in the index: the key of its session, and its position. */
const POSITIONS = 2 ** 32;
/** Records checked in one transaction. */
const BATCH = 500;
/** Records a session may lag before a commit that waited for the disk indexes some of them. */
const LAG = 32;
const TAKEN_ALONG = 64;
/**
 * Length of a session above which rebuilding the index is cheaper than removing the session from
 * it.
 */
const LONG = 5000;

/**
 * Search over a view of the log that lags behind: an append never waits for it. Each session's
 * progress is kept; missing messages are added after commits that waited for the disk anyway, and
 * before a search.
 */
export class SqliteSearch {
  readonly #connection: Connection;
  readonly #directory: SessionDirectory;
  readonly #quarantine: Quarantine;
  #opened: SearchIndex | undefined;
  #progress: Map<number, number> | undefined;

  constructor(connection: Connection, directory: SessionDirectory, quarantine: Quarantine) {
    this.#connection = connection;
    this.#directory = directory;
    this.#quarantine = quarantine;
  }

  find(query: string, limit: number): readonly SearchHit[] {
    const words = wordsOf(query);
    try {
      return this.#find(words, limit);
    } catch (error) {
      if (BulkheadError.is(error) && error.retryable) throw error;
      return this.#findAnew(words, limit);
    }
  }

  /** Adds the next few messages of a session. Never throws: a search will report the problem. */
  follow(stored: StoredHead): void {
    try {
      const behind = stored.head.lastPos - (this.#known().get(stored.key) ?? 0);
      if (behind >= LAG) this.#advance(stored, TAKEN_ALONG);
    } catch {
      this.#progress = undefined;
    }
  }

  /**
   * Removes a session, within a transaction. For a long one, or one with unreadable texts, the
   * whole index is dropped: the next search rebuilds it.
   */
  forget(stored: StoredHead): void {
    try {
      this.#remove(stored);
    } catch {
      this.#makeAnew();
    }
    this.#progress = undefined;
  }

  #remove({ key, head }: StoredHead): void {
    const { statements } = this.#connection;
    const done = this.#known().get(key) ?? 0;
    if (done === 0) return;
    if (done > LONG) {
      this.#makeAnew();
      return;
    }
    for (const row of statements.recordsAfterPos.iterate(key, 0, done)) {
      const record = readRecord(head.info.id, row);
      const text = textOf(record);
      if (text !== undefined) this.#index.remove(key * POSITIONS + record.pos, text);
    }
    this.#index.rewrite();
    statements.removeSearchProgress.run(key);
  }

  #find(words: readonly string[], limit: number): readonly SearchHit[] {
    return this.#connection.guard(() => {
      this.#catchUp();
      return firstHits([...this.#index.match(words)], limit, (id) => this.#hit(id, words));
    });
  }

  /** The index is only a view: it is rebuilt after any error. */
  #findAnew(words: readonly string[], limit: number): readonly SearchHit[] {
    try {
      this.#connection.write(true, () => this.#makeAnew());
      return this.#find(words, limit);
    } catch (error) {
      throw new BulkheadError(
        'store_corrupt',
        `the search index of ${this.#connection.path} is damaged and can't be made again: ${describeError(error)}`,
        { cause: error, fix: 'Sessions are not affected. Restore a backup to search again.' },
      );
    }
  }

  #hit(id: number, words: readonly string[]): SearchHit | undefined {
    const key = Math.floor(id / POSITIONS);
    return this.#quarantine.orNothing(key, () => {
      const stored = this.#directory.at(key);
      const row = this.#connection.statements.recordsAfterPos.get(key, (id % POSITIONS) - 1, 1);
      if (stored === undefined || row === undefined) return undefined;
      const { info } = stored.head;
      return hitOf(readRecord(info.id, row), info.title, words);
    });
  }

  /** If the disk can't be written, reading continues: missing messages are found once it can. */
  #catchUp(): void {
    try {
      for (const { key } of this.#directory.all()) this.#advanceFully(key);
    } catch (error) {
      if (!BulkheadError.is(error) || error.code !== 'store_failed') throw error;
      this.#progress = undefined;
    }
  }

  #advanceFully(key: number): void {
    for (;;) {
      const stored = this.#directory.at(key);
      if (stored === undefined || stored.head.info.damage !== '') return;
      if ((this.#known().get(key) ?? 0) >= stored.head.lastPos) return;
      if (!this.#advance(stored, BATCH)) return;
    }
  }

  /** False if the session turned out to be damaged. */
  #advance({ key, head }: StoredHead, records: number): boolean {
    const from = this.#known().get(key) ?? 0;
    if (from >= head.lastPos) return true;
    const texts = this.#quarantine.orNothing(key, () => this.#textsAfter(key, head.info.id, from, records));
    if (texts === undefined) return false;
    const to = Math.min(from + records, head.lastPos);
    this.#connection.write(false, () => {
      for (const { pos, text } of texts) this.#index.add(key * POSITIONS + pos, text);
      this.#connection.statements.setSearchProgress.run(key, to);
    });
    this.#known().set(key, to);
    return true;
  }

  #textsAfter(key: number, sessionId: string, from: number, records: number) {
    return this.#connection.statements.recordsAfterPos.all(key, from, records).flatMap((row) => {
      const record = readRecord(sessionId, row);
      const text = textOf(record);
      return text === undefined ? [] : [{ pos: record.pos, text }];
    });
  }

  #makeAnew(): void {
    this.#opened = undefined;
    this.#progress = undefined;
    this.#connection.database.exec(`DROP TABLE IF EXISTS search; ${SEARCH_SCHEMA}`);
    this.#connection.statements.clearSearchProgress.run();
  }

  get #index(): SearchIndex {
    this.#opened ??= this.#connection.guard(() => new SearchIndex(this.#connection.database));
    return this.#opened;
  }

  #known(): Map<number, number> {
    this.#progress ??= new Map(
      this.#connection.statements.searchProgress
        .all()
        .map((row) => [integer(row, 'session'), integer(row, 'pos')]),
    );
    return this.#progress;
  }
}

function textOf(row: RecordRow): string | undefined {
  return row.entry === null ? undefined : searchTextOf(entryFromRow(row).message)?.text;
}
