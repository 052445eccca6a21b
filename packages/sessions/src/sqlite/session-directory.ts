import type { LogStanding } from '../log-agreement.ts';
import type { SessionHead } from '../session-head.ts';
import { noSession } from '../store-errors.ts';
import { damagedHead, readHead, unreadableHead } from './head-row.ts';
import { integer, type Row, text } from './read-row.ts';
import type { Statements } from './statements.ts';

/** Key of the row with the position up to which the audit log agrees. */
export const MARK = 'mark';

/** Prefix of a session's id in the key of the row with its loss. */
export const LOSS = 'loss ';

/** A session as the database knows it. */
export interface StoredHead {
  readonly key: number;
  readonly head: SessionHead;
}

/**
 * The heads of all sessions, cached: lists and appends read none of it from disk. Read again after
 * an error and after another connection has written.
 */
export class SessionDirectory {
  readonly #statements: Statements;
  #byId: Map<string, StoredHead> = new Map();
  #byKey: Map<number, StoredHead> = new Map();
  #deleted: Set<string> = new Set();
  #losses = new Map<string, string>();
  #nextKey = 1;
  #dataVersion: unknown;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** Reads the heads again if another connection may have changed them. */
  refresh(): void {
    const version = this.#statements.dataVersion.get()?.['data_version'];
    if (version === this.#dataVersion) return;
    this.#load();
    this.#dataVersion = version;
  }

  /** Makes the next `refresh` read everything. */
  forget(): void {
    this.#dataVersion = undefined;
  }

  /** @throws BulkheadError `not_found` */
  find(sessionId: string): StoredHead {
    const stored = this.#byId.get(sessionId);
    if (stored === undefined) throw noSession(sessionId);
    return stored;
  }

  get(sessionId: string): StoredHead | undefined {
    return this.#byId.get(sessionId);
  }

  at(key: number): StoredHead | undefined {
    return this.#byKey.get(key);
  }

  /** By key: in order of creation. */
  all(): readonly StoredHead[] {
    return [...this.#byKey.values()];
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Never a deleted session's key: permissions for a tombstone's rows must not reach others. */
  get nextKey(): number {
    return this.#nextKey;
  }

  wasDeleted(sessionId: string): boolean {
    return this.#deleted.has(sessionId);
  }

  set(stored: StoredHead): void {
    this.#byId.set(stored.head.info.id, stored);
    this.#byKey.set(stored.key, stored);
    this.#nextKey = Math.max(this.#nextKey, stored.key + 1);
  }

  /** Removes a session that could not be made. */
  unset({ key, head }: StoredHead): void {
    this.#byId.delete(head.info.id);
    this.#byKey.delete(key);
  }

  remove(stored: StoredHead): void {
    this.unset(stored);
    this.#deleted.add(stored.head.info.id);
    this.#losses.delete(stored.head.info.id);
  }

  markDamaged(key: number, damage: string): void {
    const stored = this.#byKey.get(key);
    if (stored === undefined) return;
    this.set({ key, head: { ...stored.head, info: { ...stored.head.info, damage } } });
  }

  /** @param loss undefined: it has no loss any more */
  #markLost(sessionId: string, loss: string | undefined): void {
    const stored = this.#byId.get(sessionId);
    if (stored === undefined) return;
    const { loss: _before, ...info } = stored.head.info;
    this.set({ ...stored, head: { ...stored.head, info: loss === undefined ? info : { ...info, loss } } });
  }

  standing(sessionId: string): LogStanding {
    const stored = this.#byId.get(sessionId);
    if (stored === undefined) return { state: this.#deleted.has(sessionId) ? 'deleted' : 'absent' };
    const { info, lastPos } = stored.head;
    return info.damage === '' ? { state: 'there', lastPos } : { state: 'damaged' };
  }

  /** The last position of each undamaged session. */
  get positions(): ReadonlyMap<string, number> {
    return new Map(
      this.all().flatMap(({ head: { info, lastPos } }) =>
        info.damage === '' ? [[info.id, lastPos] as const] : [],
      ),
    );
  }

  /** The position up to which the audit log agrees; undefined if none was recorded. */
  get mark(): string | undefined {
    const row = this.#statements.agreement.all().find(({ name }) => name === MARK);
    return row === undefined ? undefined : text(row, 'text');
  }

  /** By session id; includes missing sessions. */
  get losses(): ReadonlyMap<string, string> {
    return this.#losses;
  }

  setLoss(sessionId: string, loss: string | undefined): void {
    if (loss === undefined) this.#losses.delete(sessionId);
    else this.#losses.set(sessionId, loss);
    this.#markLost(sessionId, loss);
  }

  #load(): void {
    // Known damage remains, even if it could not be written.
    const damaged = this.all().filter(({ head }) => head.info.damage !== '');
    this.#byId = new Map();
    this.#byKey = new Map();
    this.#deleted = new Set();
    for (const row of this.#statements.tombstones.all()) {
      this.#deleted.add(text(row, 'id'));
      this.#nextKey = Math.max(this.#nextKey, integer(row, 'key') + 1);
    }
    for (const stored of readHeads(this.#statements)) this.set(stored);
    for (const [key, why] of readQuarantine(this.#statements)) this.markDamaged(key, why);
    this.#losses = readLosses(this.#statements);
    for (const [id, loss] of this.#losses) this.#markLost(id, loss);
    for (const { key, head } of damaged) this.markDamaged(key, head.info.damage);
  }
}

/** Every session in the table or the index on ids. @throws only if neither can be read */
function readHeads(statements: Statements): readonly StoredHead[] {
  const ids = orElse(
    () => idsByKey(statements),
    () => new Map<number, string>(),
  );
  const one = (key: number): readonly Row[] =>
    orElse(
      () => statements.sessionAt.all(key),
      () => [],
    );
  const rows = orElse<readonly Row[]>(
    () => statements.sessions.all(),
    () => [...ids.keys()].flatMap(one),
  );
  if (rows.length === 0 && ids.size === 0) statements.sessions.all();
  const byKey = new Map(rows.map((row) => [integer(row, 'key'), row]));
  const keys = [...new Set([...byKey.keys(), ...ids.keys()])].sort((a, b) => a - b);
  return keys.map((key) => ({ key, head: headOf(byKey.get(key), ids.get(key) ?? `unreadable-${key}`) }));
}

/** Empty if it can't be read: readers find damage in a log again. */
function readQuarantine(statements: Statements): readonly (readonly [number, string])[] {
  return orElse(
    () => statements.quarantined.all().map((row) => [integer(row, 'session'), text(row, 'why')] as const),
    () => [],
  );
}

/** An unreadable table is damage of shared data: nothing may be written then. */
function readLosses(statements: Statements): Map<string, string> {
  const rows = statements.agreement.all().map((row) => [text(row, 'name'), text(row, 'text')] as const);
  return new Map(
    rows.flatMap(([name, loss]) => (name.startsWith(LOSS) ? [[name.slice(LOSS.length), loss]] : [])),
  );
}

function idsByKey(statements: Statements): Map<number, string> {
  return new Map(statements.sessionIds.all().map((row) => [integer(row, 'key'), text(row, 'id')]));
}

function headOf(row: Row | undefined, id: string): SessionHead {
  if (row === undefined) return unreadableHead(id, damagedHead(id, 'it can not be read').message);
  try {
    return readHead(row);
  } catch {
    return unreadableHead(id, damagedHead(id, 'its checksum does not match').message);
  }
}

function orElse<T>(read: () => T, otherwise: () => T): T {
  try {
    return read();
  } catch {
    return otherwise();
  }
}
