import type { SessionStore } from '@bulkhead/sessions';
import { exchangeRecords } from './exchange-records.ts';

const FIRST_TIME = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
/** Exchanges of one transaction: many, for speed, but not so many that the write-ahead log grows large. */
const BATCH = 100;

export interface Fill {
  readonly exchanges: number;
  /** Of each message, characters. */
  readonly length: number;
}

/** Makes sessions of some exchanges each. @returns their ids */
export function addSessions(store: SessionStore, count: number, fill: Fill): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `stored-${index}`;
    const time = FIRST_TIME + index * MINUTE_MS;
    store.createSession(
      { id, workingFolder: '/home/user/project', time },
      { records: [], title: `No. ${index}` },
    );
    addExchanges(store, id, fill);
    return id;
  });
}

/**
 * Adds to the end of a session.
 *
 * @returns ids of all answers added, in order
 */
export function addExchanges(
  store: SessionStore,
  session: string,
  { exchanges, length }: Fill,
): readonly string[] {
  const known = store.getSession(session);
  const answers: string[] = [];
  let leaf = known?.leaf ?? null;
  const first = known?.messages ?? 0;
  for (let done = 0; done < exchanges; done += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, exchanges - done) }, (_, index) => {
      const name = `${session}-${first + done + index}`;
      const time = FIRST_TIME + (done + index) * MINUTE_MS;
      const exchange = exchangeRecords(name, leaf, { time, length });
      leaf = exchange.leaf;
      answers.push(leaf);
      return exchange.records;
    });
    store.append(session, records.flat(), { leaf, durable: false });
  }
  return answers;
}
