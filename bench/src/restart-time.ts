import { setTimeout as sleep } from 'node:timers/promises';
import { BulkheadError } from '@bulkhead/protocol';
import { monotonicMs } from './monotonic-ms.ts';
import { type Product, quiet } from './product.ts';

const ASK_MS = 5;
const LIMIT_MS = 120_000;

/** @returns milliseconds from asking a running engine to restart to the first answer of the one that follows */
export async function restartMs(product: Product): Promise<number> {
  await quiet(await product.running());
  using before = await product.connect();
  const { enginePid } = await before.call('status', {});
  const begin = monotonicMs();
  await before.call('stop', { restart: true });
  while (monotonicMs() - begin < LIMIT_MS) {
    const answering = await enginePidOf(product);
    if (answering !== undefined && answering !== enginePid) return monotonicMs() - begin;
    await sleep(ASK_MS);
  }
  throw new Error(`the engine was not back within ${LIMIT_MS} ms`);
}

/** @returns undefined while no engine answers */
async function enginePidOf(product: Product): Promise<number | undefined> {
  try {
    using client = await product.connect();
    return (await client.call('status', {})).enginePid;
  } catch (error) {
    // A new engine listens before it has written its token.
    if (BulkheadError.is(error) && (error.code === 'not_running' || error.code === 'unauthenticated')) return;
    throw error;
  }
}
