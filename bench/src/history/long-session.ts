import { createSqliteSessionStore } from '@bulkhead/sessions';
import type { Product } from '../product.ts';
import { addExchanges } from '../store/fill-store.ts';

/** Two sessions of a home whose engine does not run. */
export interface LongAndShort {
  readonly long: string;
  /** Entries of the long one that are answers, in order. */
  readonly answers: readonly string[];
  readonly short: string;
}

/**
 * Makes a session and fills it, and one that stays empty. The engine makes both, as it would for a person, and is stopped
 * for the filling.
 *
 * @param messages half of them questions, half answers
 * @param length of each, characters
 */
export async function makeLongAndShort(
  product: Product,
  { messages, length }: { readonly messages: number; readonly length: number },
): Promise<LongAndShort> {
  await product.start();
  const [long, short] = await newSessions(product);
  await product.stop();
  const store = createSqliteSessionStore(product.layout.database);
  try {
    const answers = addExchanges(store, long, { exchanges: messages / 2, length });
    return { long, short, answers };
  } finally {
    store.close();
  }
}

async function newSessions(product: Product): Promise<readonly [string, string]> {
  using client = await product.connect();
  const create = async (title: string): Promise<string> => {
    const { sessionId } = await client.call('createSession', { workingFolder: product.folder });
    // The model names a session without a title after a while, and would be asked for more than is measured.
    await client.call('setTitle', { sessionId, title });
    return sessionId;
  };
  return [await create('long'), await create('short')];
}
