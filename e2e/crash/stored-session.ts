import { DatabaseSync } from 'node:sqlite';

/** One record as it lies in the database, read without the engine's code. */
export interface StoredRow {
  readonly pos: number;
  readonly seq: number | null;
  readonly type: string;
  readonly turn: string;
  readonly entry: string | null;
  readonly parent: string | null;
  readonly messageId: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface StoredSession {
  readonly leaf: string | null;
  readonly rows: readonly StoredRow[];
}

const SESSION = 'SELECT key, leaf FROM sessions WHERE id = ?';
const ROWS = `SELECT pos, seq, type, turn, entry, parent, message_id, body FROM records
  WHERE session = ? ORDER BY pos`;

/** Reads sessions while other processes write them. */
export class StoredSessions implements Disposable {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  }

  /** @throws Error for a session that isn't there */
  read(id: string): StoredSession {
    const session = this.#database.prepare(SESSION).get(id);
    if (session === undefined) throw new Error(`the database has no session ${id}`);
    const rows = this.#database.prepare(ROWS).all(session['key'] ?? null);
    return { leaf: textOrNull(session['leaf']), rows: rows.map(rowOf) };
  }

  /** @returns what SQLite finds wrong with the file; `ok` if nothing */
  integrity(): string {
    return String(this.#database.prepare('PRAGMA integrity_check').get()?.['integrity_check']);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

function rowOf(row: Readonly<Record<string, unknown>>): StoredRow {
  return {
    pos: Number(row['pos']),
    seq: row['seq'] === null ? null : Number(row['seq']),
    type: String(row['type']),
    turn: String(row['turn']),
    entry: textOrNull(row['entry']),
    parent: textOrNull(row['parent']),
    messageId: textOrNull(row['message_id']),
    body: fieldsOf(JSON.parse(String(row['body']))),
  };
}

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
