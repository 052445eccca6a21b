import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createSqliteSessionStore } from '@bulkhead/sessions';
import type { Figure } from '../figure.ts';
import type { Product } from '../product.ts';
import { spread } from '../render.ts';
import { restartMs } from '../restart-time.ts';
import { summarise } from '../statistics.ts';
import { addExchanges } from '../store/fill-store.ts';
import { STORED_SESSIONS } from '../store/stock.ts';

const RESTARTS = 5;
const WANTED_BYTES = 1e9;
/** Of the free disk, at most. */
const SHARE_OF_DISK = 0.25;
/** Long messages: files that were read, output of commands. */
const MESSAGE_LENGTH = 20_000;
/** The size of an exchange of two such messages: the request is kept twice. */
const EXCHANGE_BYTES = 3 * MESSAGE_LENGTH;

/** Restart to ready with a large database. */
export const restart: Figure = {
  name: 'restart',
  async measure({ product: newProduct, stockedProduct }) {
    await using small = await newProduct();
    await small.start();
    await using large = await stockedProduct();
    const bytes = await enlarge(large);
    await large.start();
    const times = { small: [] as number[], large: [] as number[] };
    for (let time = 0; time < RESTARTS; time += 1) {
      times.large.push(await restartMs(large));
      times.small.push(await restartMs(small));
    }
    const gigabytes = (bytes / 1e9).toFixed(2);
    return [
      {
        what: `restart to ready, ${STORED_SESSIONS} sessions in a database of ${gigabytes} GB`,
        product: `${spread(times.large, ' ms')}, empty home ${spread(times.small, ' ms')}`,
        bare: 'none',
        ratio: '',
        target: { text: '≤ 1,000 ms', limit: 1_000, value: summarise(times.large).median },
      },
    ];
  },
};

/** @returns the size of the database afterwards, bytes */
async function enlarge({ layout }: Product): Promise<number> {
  const { bavail, bsize } = await statfs(layout.state);
  const bytes = Math.min(WANTED_BYTES, bavail * bsize * SHARE_OF_DISK);
  const exchanges = Math.max(1, Math.round(bytes / EXCHANGE_BYTES / STORED_SESSIONS));
  const store = createSqliteSessionStore(layout.database);
  try {
    for (const { id } of store.listSessions(STORED_SESSIONS)) {
      addExchanges(store, id, { exchanges, length: MESSAGE_LENGTH });
    }
  } finally {
    store.close();
  }
  return statSync(layout.database).size;
}
