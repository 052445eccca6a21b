/*
 * An engine where one folder lies on a small disk of its own that is full or read-only for a while: run in a mount namespace of its own.
 * Arguments: name of the place, `full` or `readOnly`, root, folder of the bundles. Prints what happened as one JSON object.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type EngineClient, ensureEngine } from '@bulkhead/client';
import { BulkheadError, homeLayout } from '@bulkhead/protocol';
import { ApprovalMode } from '@bulkhead/protocol/client';
import { type RecordedRequest, startScriptedModelServer } from '@bulkhead/testkit';
import { sentMessages } from '../support/wire-history.ts';
import { fillDisk } from './fill-disk.ts';
import { StoredSessions } from './stored-session.ts';

const [place = '', how = '', root = '', build = ''] = process.argv.slice(2);
const layout = homeLayout(join(root, 'home'));
const work = join(root, 'work');
const elsewhere = join(root, 'elsewhere');

/** Where the disk is mounted, and what needs it: the name of a tool and its arguments. */
const PLACES: Readonly<Record<string, readonly [folder: string, tool: string, args: object]>> = {
  chronicle: [layout.chronicle, 'edit', { path: 'kept.txt', old_text: 'old', new_text: 'new' }],
  outputs: [layout.outputs, 'bash', { command: 'seq 1 30000' }],
  memory: [layout.profiles, 'memory_write', { text: 'likes tea' }],
  work: [work, 'write', { path: 'big', content: 'x'.repeat(300_000) }],
};
const [folder = '', tool = '', args = {}] = PLACES[place] ?? [];
const filler = join(folder, 'filler');

/** The tool that the model calls next, after it has loaded its tools. */
let waiting: string | undefined;
const script = async (request: RecordedRequest) => {
  const text = sentMessages(request).at(-1)?.text ?? '';
  const id = /^do it (\w+)/.exec(text)?.[1];
  if (id !== undefined && place === 'memory') {
    waiting = id;
    return { toolCalls: [{ id: `load-${id}`, name: 'load_tools', args: { groups: ['memory'] } }] };
  }
  const next = id ?? waiting;
  waiting = undefined;
  return next === undefined ? { text: 'good' } : { toolCalls: [{ id: `call-${next}`, name: tool, args }] };
};

for (const path of [layout.root, layout.state, folder, work, elsewhere])
  mkdirSync(path, { recursive: true, mode: 0o700 });
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=700', 'none', folder]);
writeFileSync(join(work, 'kept.txt'), 'old\n');
const server = await startScriptedModelServer(script);
const chat = `{ provider: openai-compatible, model: m, baseUrl: '${server.url}/v1' }`;
writeFileSync(layout.config, `server: { port: 0 }\nmodels: { chat: ${chat} }\n`);

const env = { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: root };
const { client } = await ensureEngine(layout, {
  supervisor: pathToFileURL(join(build, 'supervisor.js')),
  env,
});

function fail(): void {
  if (how === 'readOnly') return void execFileSync('mount', ['-o', 'remount,ro', folder]);
  fillDisk(filler);
}

function mend(): void {
  if (how === 'readOnly') execFileSync('mount', ['-o', 'remount,rw', folder]);
  else rmSync(filler);
}

async function refusal(sessionId: string, messageId: string, content: string) {
  try {
    await client.call('sendMessage', {
      sessionId,
      messageId,
      content,
      options: { approve: ApprovalMode.ALLOW },
    });
    return undefined;
  } catch (error) {
    const { code, message, retryable } = BulkheadError.from(error);
    return { code, retryable, message: message.replaceAll(root, 'ROOT') };
  }
}

/** Sends it until it is taken. @returns the outcome, and what the tool said */
async function done(sessionId: string, messageId: string, content: string) {
  for (const end = performance.now() + 60_000; performance.now() < end; await sleep(100)) {
    if ((await refusal(sessionId, messageId, content)) !== undefined) continue;
    const outcome = endOf(sessionId, messageId);
    if (outcome !== undefined) return { outcome, said: outputOf(sessionId, messageId) };
  }
  return { outcome: 'none', said: '' };
}

function rowsOf(sessionId: string) {
  using stored = new StoredSessions(layout.database);
  return stored.read(sessionId).rows;
}

function endOf(sessionId: string, message: string): string | undefined {
  const end = rowsOf(sessionId).find(({ type, messageId }) => type === 'settled' && messageId === message);
  return end === undefined ? undefined : String(end.body['outcome']);
}

function outputOf(sessionId: string, message: string): string {
  const text = JSON.stringify(rowsOf(sessionId).filter((row) => row.type === 'tool_output'));
  return text.includes(`call-${message}`)
    ? text.slice(text.lastIndexOf(`call-${message}`)).replaceAll(root, 'ROOT')
    : text;
}

const problems = async (engine: EngineClient) =>
  (await engine.call('status', {})).notices
    .filter((notice) => notice.startsWith('READING ONLY'))
    .map((notice) => notice.replaceAll(root, 'ROOT').replace(/since \S+:/, 'since T:'));

const facts: Record<string, unknown> = {};
try {
  const pid = (await client.call('status', {})).enginePid;
  const { sessionId } = await client.call('createSession', { workingFolder: work });
  const other = (await client.call('createSession', { workingFolder: elsewhere })).sessionId;
  facts['before'] = await done(sessionId, 'before', 'hello');
  fail();
  facts['failed'] = await done(sessionId, 'm1', 'do it m1');
  facts['problems'] = await problems(client);
  facts['refused'] = await refusal(other, 'm2', 'hello');
  facts['sessions'] = (await client.call('listSessions', { limit: 10 })).sessions.length;
  facts['left'] = readdirSync(work).filter((name) => name !== 'filler');
  facts['kept'] = readFileSync(join(work, 'kept.txt'), 'utf8');
  // One that was taken may still run.
  if (facts['refused'] === undefined) facts['other'] = await done(other, 'm2', 'hello');
  mend();
  facts['after'] = await done(sessionId, 'm3', 'do it m3');
  facts['otherAfter'] = await done(other, 'm4', 'hello');
  facts['problemsAfter'] = await problems(client);
  facts['samePid'] = (await client.call('status', {})).enginePid === pid;
} catch (error) {
  facts['error'] = error instanceof Error ? String(error.stack) : String(error);
}
if (process.env['SHOW_LOG'] !== undefined && existsSync(`${layout.logs}/engine.log`))
  facts['log'] = readFileSync(`${layout.logs}/engine.log`, 'utf8').split('\n').slice(-30);
await client.call('stop', { restart: false });
client[Symbol.dispose]();
await server.close();
process.stdout.write(`${JSON.stringify(facts)}\n`);
process.exit();
