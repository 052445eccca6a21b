import { join } from 'node:path';
import { createSqliteSessionStore } from '@bulkhead/sessions';
import { addSessions } from './fill-store.ts';

/** Sessions of a home that was used for a year or two. */
export const STORED_SESSIONS = 5_000;

const FILL = { exchanges: 1, length: 200 };

/** A database of many short sessions, made when it is first asked for, to be copied into homes. */
export class Stock {
  readonly #path: string;
  #made = false;

  /** @param folder where the file is put; its owner removes it */
  constructor(folder: string) {
    this.#path = join(folder, 'stock.db');
  }

  /** @returns path of the closed database */
  database(): string {
    if (this.#made) return this.#path;
    const store = createSqliteSessionStore(this.#path);
    try {
      addSessions(store, STORED_SESSIONS, FILL);
    } finally {
      store.close();
    }
    this.#made = true;
    return this.#path;
  }
}
