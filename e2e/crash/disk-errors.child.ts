/*
 * An engine whose disk fails in one way: run in a mount namespace of its own, with a small tmpfs at `<root>/home` that can be written
 * to. Arguments: the scenario (`eio:POINT` for one point), root, folder of the bundles. Prints what happened as one JSON object.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { branchEntries, type EngineClient, ensureEngine } from '@bulkhead/client';
import { BulkheadError, homeLayout } from '@bulkhead/protocol';
import { ApprovalMode } from '@bulkhead/protocol/client';
import { type RecordedRequest, startScriptedModelServer } from '@bulkhead/testkit';
import { sentMessages } from '../support/wire-history.ts';
import { fillDisk } from './fill-disk.ts';
import { StoredSessions } from './stored-session.ts';

const [order = '', root = '', build = ''] = process.argv.slice(2);
const [scenario = '', point = ''] = order.split(':');
const home = join(root, 'home');
const layout = homeLayout(home);
const work = join(root, 'work');
const fault = join(root, 'fault');
const filler = join(home, 'filler');
const aside = join(root, 'aside');
const facts: Record<string, unknown> = {};

const script = async (request: RecordedRequest) => {
  const text = sentMessages(request).at(-1)?.text ?? '';
  const command = /^run (.*)$/.exec(text)?.[1];
  return command === undefined
    ? { text: 'good' }
    : { toolCalls: [{ id: `c${command.length}`, name: 'bash', args: { command } }] };
};

function mount(...args: readonly string[]): void {
  execFileSync(args[0] === 'umount' ? 'umount' : 'mount', args[0] === 'umount' ? args.slice(1) : args);
}

/** Mounts the home's disk at a second place, which stays when the home is unmounted. */
function mountAside(): void {
  mkdirSync(aside);
  mount('--bind', home, aside);
}

async function until(check: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<boolean> {
  for (const end = performance.now() + withinMs; performance.now() < end; await sleep(100)) {
    try {
      if (await check()) return true;
    } catch {
      // The engine may be starting anew.
    }
  }
  return false;
}

mkdirSync(work, { recursive: true });
const server = await startScriptedModelServer(script);
const chat = `{ provider: openai-compatible, model: m, baseUrl: '${server.url}/v1' }`;
writeFileSync(layout.config, `server: { port: 0 }\nmodels: { chat: ${chat} }\n`);

async function connect(): Promise<EngineClient> {
  const env = {
    PATH: process.env['PATH'],
    LANG: 'C.UTF-8',
    HOME: root,
    XDG_RUNTIME_DIR: join(root, 'runtime'),
    FAULT: `@${fault}`,
  };
  return (await ensureEngine(layout, { supervisor: pathToFileURL(join(build, 'supervisor.js')), env }))
    .client;
}

/** @returns what it was refused with; undefined if it was taken */
async function send(client: EngineClient, sessionId: string, messageId: string, content = 'hello') {
  try {
    await client.call('sendMessage', {
      sessionId,
      messageId,
      content,
      options: { approve: ApprovalMode.ALLOW },
    });
    return undefined;
  } catch (error) {
    return told(error);
  }
}

function told(error: unknown) {
  const { code, message, retryable, fix } = BulkheadError.from(error);
  return {
    code,
    message: message.replaceAll(root, 'ROOT').replace(/since \S+:/, 'since T:'),
    retryable,
    fix,
  };
}

async function withEngine<T>(use: (client: EngineClient) => Promise<T>): Promise<T> {
  using client = await connect();
  return await use(client);
}

const status = () => withEngine((again) => again.call('status', {}));

/**
 * Sends a message again and again, as a client does at the engine's request, until it is taken, and
 * then until it has its one end.
 */
async function goesOn(sessionId: string, messageId: string, content = 'hello'): Promise<string> {
  const taken = await until(
    async () => (await withEngine((client) => send(client, sessionId, messageId, content))) === undefined,
  );
  if (!taken) return 'never taken';
  await until(() => outcomesOf(sessionId, messageId).length > 0);
  return outcomesOf(sessionId, messageId).join();
}

function outcomesOf(sessionId: string, message: string): readonly string[] {
  using stored = new StoredSessions(layout.database);
  return stored
    .read(sessionId)
    .rows.flatMap(({ type, messageId, body }) =>
      type === 'settled' && messageId === message ? [String(body['outcome'])] : [],
    );
}

/** Collects the answers to all that a person can still do. */
async function reads(client: EngineClient, sessionId: string): Promise<Record<string, unknown>> {
  const status = await client.call('status', {});
  const health = await fetch(`${status.httpAddress}/healthz`);
  const body: unknown = await health.json();
  let entries = 0;
  for await (const _entry of branchEntries(client, { sessionId })) entries += 1;
  const { hits: search } = await client.call('searchSessions', { query: 'hello', limit: 5 });
  const snapshots = await client.call('listSnapshots', { limit: 10 });
  return {
    sessions: (await client.call('listSessions', { limit: 10 })).sessions.length,
    entries,
    found: search.length,
    snapshots: snapshots.snapshots.length,
    notices: status.notices.filter((notice) => notice.startsWith('READING ONLY')).length,
    health: body,
  };
}

let client = await connect();
const { sessionId } = await client.call('createSession', { workingFolder: work });
facts['before'] = await goesOn(sessionId, 'm0');
const { token: stolen } = await client.call('createProgramToken', { name: 'stolen' });
facts['stolenBefore'] = await comesIn();
let pidBefore = (await client.call('status', {})).enginePid;

/** Checks the promises of every scenario while the disk fails, and after it. */
async function refusedThenBack(mend: () => void): Promise<void> {
  facts['refused'] = await send(client, sessionId, 'm1');
  facts['again'] = (await send(client, sessionId, 'm1'))?.message;
  facts['reads'] = await reads(client, sessionId);
  facts['revoked'] = await client
    .call('revokeAccess', { target: 'stolen' })
    .then(({ revoked }) => revoked)
    .then(() => undefined, told);
  facts['stolen'] = await comesIn();
  // Longer than a probe takes: an engine that starts itself again and again would be another one by now.
  await sleep(5_000);
  facts['samePid'] = (await client.call('status', {})).enginePid === pidBefore;
  mend();
  facts['after'] = await goesOn(sessionId, 'm1');
  const { notices } = await status();
  facts['noticesAfter'] = notices.filter((notice) => notice.startsWith('READING ONLY'));
  facts['inputs'] = inputsOf(sessionId);
  facts['stolenAfter'] = await withEngine(comesIn);
}

/** @returns the status for who comes with the token that was taken back */
async function comesIn(by = client): Promise<number> {
  const { httpAddress } = await by.call('status', {});
  const headers = { authorization: `Bearer ${stolen}` };
  return (await fetch(`${httpAddress}/api/v1/sessions`, { headers })).status;
}

async function stopped(): Promise<void> {
  await client.call('stop', { restart: false });
  client[Symbol.dispose]();
  await until(() => !existsSync(layout.socket) && !existsSync(`${layout.lock}.pid`));
}

/** The start itself is what must work on a disk that can't be written. */
async function startedReadingOnly(mend: () => void): Promise<void> {
  client = await connect();
  pidBefore = (await client.call('status', {})).enginePid;
  try {
    await client.call('setTitle', { sessionId, title: 'would be lost' });
  } catch (error) {
    facts['change'] = BulkheadError.from(error).code;
  }
  await refusedThenBack(mend);
}

function inputsOf(session: string): readonly string[] {
  using stored = new StoredSessions(layout.database);
  return stored
    .read(session)
    .rows.flatMap(({ type, messageId }) => (type === 'input_accepted' ? [messageId ?? ''] : []));
}

/** A start by hand, where the disk of the home is not mounted. */
async function startUnmounted(): Promise<void> {
  await stopped();
  mountAside();
  mount('umount', home);
  facts['refused'] = await connect().then(() => undefined, told);
  facts['inEmptyMountPoint'] = readdirSync(home);
  mount('--bind', aside, home);
  client = await connect();
  facts['after'] = await goesOn(sessionId, 'm1');
}

const SCENARIOS: Readonly<Record<string, () => Promise<void>>> = {
  startUnmounted,
  async full() {
    fillDisk(filler);
    await refusedThenBack(() => rmSync(filler));
  },
  async startFull() {
    await stopped();
    fillDisk(filler);
    await startedReadingOnly(() => rmSync(filler));
  },
  async fullAgain() {
    await stopped();
    fillDisk(filler);
    client = await connect();
    rmSync(filler);
    facts['first'] = await goesOn(sessionId, 'm1');
    // The next engine finds the disk full again, moments after the last one was started anew.
    const { enginePid } = await status();
    fillDisk(filler);
    process.kill(enginePid, 'SIGKILL');
    await until(async () => (await status()).enginePid !== enginePid);
    const begun = Date.parse((await status()).startedAt);
    rmSync(filler);
    facts['second'] = await goesOn(sessionId, 'm2');
    facts['waitedMs'] = Date.parse((await status()).startedAt) - begun;
  },
  async startReadOnly() {
    await stopped();
    // Waits for programs that still close their logs.
    if (!(await until(() => mount('-o', 'remount,ro', home) === undefined)))
      throw new Error('the home can not be made read-only');
    await startedReadingOnly(() => mount('-o', 'remount,rw', home));
  },
  async unmounted() {
    mountAside();
    mount('umount', '-l', home);
    await refusedThenBack(() => {
      facts['inEmptyMountPoint'] = readdirSync(home);
      mount('--bind', aside, home);
    });
  },
  async databaseDeleted() {
    mkdirSync(aside);
    const names = readdirSync(layout.state).filter((name) => name.startsWith('bulkhead.db'));
    for (const name of names) execFileSync('cp', ['-a', join(layout.state, name), join(aside, name)]);
    for (const name of names) rmSync(join(layout.state, name));
    await refusedThenBack(() => {
      facts['madeAnew'] = existsSync(layout.database);
      for (const name of names.toReversed())
        execFileSync('cp', ['-a', join(aside, name), join(layout.state, name)]);
    });
  },
  async foreignLock() {
    using other = new DatabaseSync(layout.database);
    other.exec('BEGIN IMMEDIATE');
    facts['refused'] = await send(client, sessionId, 'm1');
    // Some try at once, and another one only asks.
    const tries = Promise.all(['a', 'b', 'c', 'd'].map((id) => send(client, sessionId, id)));
    const begun = performance.now();
    await client.call('status', {});
    facts['longestMs'] = performance.now() - begun;
    await tries;
    other.exec('ROLLBACK');
    facts['after'] = await goesOn(sessionId, 'm1');
  },
  async eio() {
    writeFileSync(fault, `${point}:eio`);
    const message = `m ${point}`;
    // A session of its own starts an agent, which the log records.
    const session = await withEngine(
      async (engine) => (await engine.call('createSession', { workingFolder: work })).sessionId,
    ).catch(() => sessionId);
    facts['outcome'] = await goesOn(session, message, `run ${commandOf(point)}`);
    // The log records a new agent when that one is ready, which may be later.
    facts['fired'] = await until(() => readOrEmpty(`${fault}.fired`).includes(`${point} eio`));
    facts['accepted'] = inputsOf(session).filter((id) => id === message).length;
    facts['times'] = linesOf(join(work, 'ledger.txt')).filter((line) => line === point).length;
  },
};

function linesOf(path: string): readonly string[] {
  return readOrEmpty(path).split('\n');
}

/** A command that leaves one line, after more output than is shown where the kept output is what fails. */
function commandOf(point: string): string {
  const output = point.startsWith('outputs.') ? 'seq 20000; ' : '';
  return `${output}echo ${point} >> ledger.txt`;
}

function readOrEmpty(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

try {
  await SCENARIOS[scenario]?.();
} catch (error) {
  facts['error'] = error instanceof Error ? String(error.stack) : String(error);
}
if (process.env['SHOW_LOG'] !== undefined) {
  facts['log'] = readOrEmpty(`${layout.logs}/engine.log`).split('\n').slice(-30);
  facts['supervisor'] = readOrEmpty(`${layout.logs}/supervisor.log`).split('\n');
}
client[Symbol.dispose]();
client = await connect();
await client.call('stop', { restart: false });
await until(() => !existsSync(layout.socket), 10_000);
await server.close();
process.stdout.write(`${JSON.stringify(facts)}\n`);
process.exit();
