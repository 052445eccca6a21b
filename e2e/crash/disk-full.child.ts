/*
 * An engine whose home lies on a disk that fills up: run in a mount namespace of its own, with a small tmpfs at
 * `<root>/home`. Arguments: root, folder of the bundles. Prints what happened as one JSON object.
 */
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type EngineClient, ensureEngine } from '@bulkhead/client';
import { BulkheadError, homeLayout } from '@bulkhead/protocol';
import { ApprovalMode } from '@bulkhead/protocol/client';
import { type RecordedRequest, startScriptedModelServer } from '@bulkhead/testkit';
import { sentMessages } from '../support/wire-history.ts';
import { startedActions } from './audited.ts';
import { recordedActions } from './recorded-actions.ts';
import { StoredSessions } from './stored-session.ts';

const [root = '', build = ''] = process.argv.slice(2);
const layout = homeLayout(join(root, 'home'));
const folder = join(root, 'work');
const filler = join(layout.root, 'filler');

/** Takes all space that is left, down to the last byte. */
function fill(): void {
  const file = openSync(filler, 'a');
  for (let size = 1 << 20; size > 0; size >>= 1) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size, 'x'));
    } catch {
      // No room for so much: perhaps for half.
    }
  }
  closeSync(file);
}

let filled = false;
const script = async (request: RecordedRequest) => {
  const last = sentMessages(request).at(-1);
  if (last?.text === 'fill the disk') {
    // Once: a request that is made again, when there is space again, is only answered.
    if (!filled) fill();
    filled = true;
    return { toolCalls: [{ id: 'ledger1', name: 'bash', args: { command: 'echo ledger1 >> ledger.txt' } }] };
  }
  return { text: 'good' };
};

mkdirSync(folder);
const server = await startScriptedModelServer(script);
const chat = `{ provider: openai-compatible, model: m, baseUrl: '${server.url}/v1' }`;
writeFileSync(layout.config, `server: { port: 0 }\nmodels: { chat: ${chat} }\n`);

async function connect(): Promise<EngineClient> {
  const env = { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: root };
  return (await ensureEngine(layout, { supervisor: pathToFileURL(join(build, 'supervisor.js')), env }))
    .client;
}

/** @returns the code of the refusal; undefined if it was taken */
async function send(client: EngineClient, sessionId: string, messageId: string, content: string) {
  try {
    await client.call('sendMessage', {
      sessionId,
      messageId,
      content,
      options: { approve: ApprovalMode.ALLOW },
    });
    return undefined;
  } catch (error) {
    return BulkheadError.from(error).code;
  }
}

function settledIn(sessionId: string): readonly string[] {
  using stored = new StoredSessions(layout.database);
  return stored
    .read(sessionId)
    .rows.flatMap(({ type, messageId, body }) =>
      type === 'settled' ? [`${messageId} ${String(body['outcome'])}`] : [],
    );
}

async function until(check: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<boolean> {
  for (const end = performance.now() + withinMs; performance.now() < end; await sleep(100))
    if (await check()) return true;
  return false;
}

function ledger(): string {
  try {
    return readFileSync(join(folder, 'ledger.txt'), 'utf8');
  } catch {
    return '';
  }
}

let client = await connect();
const { sessionId } = await client.call('createSession', { workingFolder: folder });
const facts: Record<string, unknown> = {};

// The disk is full while nothing goes on.
fill();
facts['free'] = statfsSync(layout.root).bavail;
facts['refusedWith'] = await send(client, sessionId, 'm1', 'hello');
facts['statusWhileFull'] = (await client.call('status', {})).sessions;
rmSync(filler);
// A probe finds the space within seconds.
facts['takenAfterwards'] = await until(
  async () => (await send(client, sessionId, 'm1', 'hello')) === undefined,
  10_000,
);
facts['settledFirst'] = await until(() => settledIn(sessionId).includes('m1 completed'), 10_000);

// The disk fills up within a run, before its action.
facts['acceptedSecond'] = (await send(client, sessionId, 'm2', 'fill the disk')) ?? 'taken';
await sleep(4_000);
facts['ledgerWhileFull'] = ledger();
facts['settledWhileFull'] = settledIn(sessionId).some((one) => one.startsWith('m2'));
rmSync(filler, { force: true });
facts['settledSecond'] = await until(async () => {
  client[Symbol.dispose]();
  client = await connect();
  await client.call('status', {});
  return settledIn(sessionId).some((one) => one.startsWith('m2'));
}, 20_000);
facts['outcomes'] = settledIn(sessionId);
facts['ledger'] = ledger();
{
  using stored = new StoredSessions(layout.database);
  const actions = recordedActions(stored.read(sessionId).rows);
  const audited = startedActions(layout.audit);
  facts['actions'] = actions.map(({ token, end, intended, action }) => ({
    token,
    end,
    intended,
    audited: audited.has(action),
  }));
}
await client.call('stop', { restart: false });
await sleep(500);
await server.close();
process.stdout.write(`${JSON.stringify(facts)}\n`);
process.exit();
