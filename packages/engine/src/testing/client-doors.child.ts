import { mkdirSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { openAccessDatabase } from '@bulkhead/actions/access/access-database';
import { AccessService } from '@bulkhead/actions/access/access-service';
import { createIdSource, homeLayout, systemClock } from '@bulkhead/protocol';
import { pino } from 'pino';
import { openHttp } from '../composition/open-http.ts';
import { serveClients } from '../service/serve-clients.ts';
import { serviceStage } from './service-stage.ts';

/*
 * Both entry points for clients, over real sockets, to a session `s` whose events the test orders:
 * one line of JSON on stdin is an order, one on stdout its answer. A separate process, so that its
 * memory is that of the service.
 */
const [root = '', unread = '30000'] = process.argv.slice(2);
const layout = homeLayout(root);
for (const folder of [layout.run, layout.state]) mkdirSync(folder, { recursive: true, mode: 0o700 });
const service = serviceStage(layout);
/** A smaller fall of memory is chance. */
const LEAST_FALL = 64 * 1024;
const unreadMs = Number(unread);
await using stack = new AsyncDisposableStack();
const opened = await serveClients(layout, service, { onError: () => {}, unreadMs });
const access = new AccessService(
  { audit: { append: async () => [] }, clock: systemClock, ids: createIdSource(() => Date.now()) },
  {
    database: stack.use(openAccessDatabase(layout.access)),
    tokenPath: layout.accessToken,
    machine: { sinceBoot: () => performance.now() },
    time: { confirmed: () => Date.now(), atMost: () => Date.now() },
    onSecret: () => {},
  },
);
const logger = pino({ level: 'silent' });
const port = await openHttp(
  { options: { clock: systemClock, dist: root }, port: 0, logger, unreadMs },
  stack,
);
port.opened({
  access,
  book: {
    sessionOf: () => undefined,
    keep: () => {},
    responseOf: () => undefined,
    keepResponse: () => {},
    answerOf: () => undefined,
    keepAnswer: () => {},
    folderOf: () => root,
  },
  health: () => 'ok',
  service: () => service,
});

/**
 * Bytes in use after all possible collection. External memory, such as the bytes of a sent chunk, is released by
 * finalizers some turns of the loop after the collection that found it unused.
 */
async function usedBytes(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let unchanged = 0; unchanged < 3; ) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 10));
    const { heapUsed, external } = process.memoryUsage();
    unchanged = heapUsed + external < least - LEAST_FALL ? 0 : unchanged + 1;
    least = Math.min(least, heapUsed + external);
  }
  return least;
}

const say = (answer: unknown): void => void process.stdout.write(`${JSON.stringify(answer)}\n`);
say({ address: port.address, token: access.ownerToken() });
// A killed process saves nothing that it compiled; the next one starts from this.
flushCompileCache();
for await (const line of createInterface({ input: process.stdin })) {
  const order: {
    readonly rounds?: number;
    readonly chars?: number;
    readonly measure?: boolean;
    readonly end?: boolean;
  } = JSON.parse(line);
  if (order.end === true) break;
  // Like a model's answers: some deltas, then a durable event. Sockets are served in between.
  for (let round = 0; round < (order.rounds ?? 0); round += 1) {
    const text = `${round} `.padEnd(order.chars ?? 1_000, 'x');
    for (let part = 0; part < 4; part += 1) service.log.ephemeral('s', 'r', { type: 'text_delta', text });
    service.log.events('s', 'r', { type: 'session_title', title: text });
    await new Promise((resolve) => setImmediate(resolve));
  }
  const used = order.measure === true ? await usedBytes() : undefined;
  const open = process.getActiveResourcesInfo().filter((name) => /^(TCPSocket|Pipe)Wrap$/.test(name)).length;
  const last = service.log.store.lastSeq('s');
  say({ last, used, open });
}
await opened.close();
await stack.disposeAsync();
process.exit();
