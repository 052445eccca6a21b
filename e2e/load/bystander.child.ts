/**
 * A client that has nothing to do with the load: asks for the status at a fixed pace, whether or not it was answered before.
 * Any message of its parent ends it; it then sends what each answer took, in milliseconds.
 */
import { connectEngine } from '@bulkhead/client';
import { homeLayout } from '@bulkhead/protocol';

const EVERY_MS = 25;

const [home = ''] = process.argv.slice(2);
const client = await connectEngine(homeLayout(home));
const asked: Promise<number>[] = [];
const timer = setInterval(() => asked.push(ask()), EVERY_MS);
process.once('message', () => {
  clearInterval(timer);
  Promise.all(asked).then((times) => process.send?.(times, () => process.exit()));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function ask(): Promise<number> {
  const begin = performance.now();
  await client.call('status', {});
  return performance.now() - begin;
}
