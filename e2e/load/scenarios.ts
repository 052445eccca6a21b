import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineClient } from '@bulkhead/client';
import { WebClient } from '../support/web-client.ts';
import { Bystander, LoadStage, type Memory, megabytesOf, type Times, timed, timesOf } from './load-stage.ts';
import { silentReader } from './silent-reader.ts';

const LIMIT_MS = 100_000;
/** Of a file that is long. */
const LINE = 'the quick brown fox jumps over the lazy dog and goes on to the next hill\n';

interface Loaded {
  readonly acknowledged: Times;
  /** Of a client that has nothing to do with the load. */
  readonly status: Times;
  readonly memory: Memory;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly wallMs: number;
}

/** So many sessions get a message, all at once or at a pace; each run reads a file and answers. */
export async function messages(
  count: number,
  perSecond = Number.POSITIVE_INFINITY,
  model = 'read',
): Promise<Loaded> {
  await using load = await LoadStage.start();
  const { stage } = load;
  using client = await stage.client();
  const sessions: string[] = [];
  while (sessions.length < count)
    sessions.push((await client.call('createSession', { workingFolder: stage.folder })).sessionId);
  const bystander = await Bystander.start(stage.layout.root);
  const memory = load.watchMemory();
  const begin = performance.now();
  const signal = AbortSignal.timeout(LIMIT_MS);
  const runs: Promise<{ readonly ms: number; readonly outcome: string }>[] = [];
  for (const sessionId of sessions) {
    runs.push(converse(client, sessionId, model, signal));
    if (Number.isFinite(perSecond)) await sleep(1_000 / perSecond);
  }
  const ended = await Promise.all(runs);
  const wallMs = Math.round(performance.now() - begin);
  return {
    acknowledged: timesOf(ended.map(({ ms }) => ms)),
    status: await bystander.end(),
    memory: memory.end(),
    outcomes: countsOf(ended.map(({ outcome }) => outcome)),
    wallMs,
  };
}

/** One answer of so many bytes: text in many pieces or one, thinking, or the arguments of a call. */
export async function largeAnswer(
  kind: string,
  bytes: number,
): Promise<
  Loaded & {
    readonly error: string;
    readonly storedBytes: number;
    /** Characters of the last answer. */
    readonly answer: number;
    /** The agent of the session, before and after. */
    readonly agents: readonly [number, number];
  }
> {
  await using load = await LoadStage.start('limits: { maxRounds: 2 }\nretry: { enabled: false }');
  const { stage } = load;
  using client = await stage.client();
  const { sessionId } = await client.call('createSession', { workingFolder: stage.folder });
  await converse(client, sessionId, 'hi', AbortSignal.timeout(LIMIT_MS));
  const before = await agentOf(client, sessionId);
  const bystander = await Bystander.start(stage.layout.root);
  const memory = load.watchMemory();
  const begin = performance.now();
  const { ms, outcome } = await converse(
    client,
    sessionId,
    `${kind}-${bytes}`,
    AbortSignal.timeout(LIMIT_MS),
  );
  const wallMs = Math.round(performance.now() - begin);
  const status = await bystander.end();
  let [error, storedBytes, answer] = ['', 0, 0];
  for await (const { json } of client.stream('watch', { sessionId, afterSeq: 0, follow: false })) {
    storedBytes += json.length;
    const event: unknown = JSON.parse(json);
    if (typeof event !== 'object' || event === null || !('type' in event)) continue;
    if (event.type === 'settled' && 'answer' in event) answer = String(event.answer).length;
    if (event.type === 'error') error = json.slice(0, 1_000);
  }
  return {
    acknowledged: timesOf([ms]),
    status,
    memory: memory.end(),
    outcomes: { [outcome]: 1 },
    wallMs,
    error,
    storedBytes,
    answer,
    agents: [before, await agentOf(client, sessionId)],
  };
}

/**
 * A call of a tool that has so many bytes to say: `bash` and `line` print a file of that size, `read` reads it, `grep` finds each line.
 *
 * @returns the text that the model received, and how much the session's events hold
 */
export async function largeResult(tool: string, bytes: number) {
  await using load = await LoadStage.start('limits: { maxRounds: 2 }');
  const { stage } = load;
  stage.write('big.txt', LINE.repeat(Math.ceil(bytes / LINE.length)));
  using client = await stage.client();
  const { sessionId } = await client.call('createSession', { workingFolder: stage.folder });
  await converse(client, sessionId, 'hi', AbortSignal.timeout(LIMIT_MS));
  const bystander = await Bystander.start(stage.layout.root);
  const memory = load.watchMemory();
  const outcome = await converse(client, sessionId, `result-${tool}`, AbortSignal.timeout(LIMIT_MS));
  const status = await bystander.end();
  let [result, storedBytes] = ['', 0];
  for await (const { json, type } of client.stream('watch', { sessionId, afterSeq: 0, follow: false })) {
    storedBytes += json.length;
    const event: unknown = JSON.parse(json);
    if (type !== 'tool_output' || typeof event !== 'object' || event === null || !('text' in event)) continue;
    result = String(event.text);
  }
  return { outcome: outcome.outcome, result, storedBytes, memory: memory.end(), status };
}

/** Clients that ask for events and never read, while a session says so many bytes. */
export async function silentReaders(
  kind: 'websocket' | 'grpc',
  count: number,
  bytes: number,
): Promise<{
  readonly each: number;
  readonly withoutMegabytes: number;
  readonly withMegabytes: number;
  readonly status: Times;
}> {
  const without = await said(kind, 0, bytes);
  const withThem = await said(kind, count, bytes);
  return {
    each: Number(((withThem.megabytes - without.megabytes) / count).toFixed(2)),
    withoutMegabytes: Math.round(without.megabytes),
    withMegabytes: Math.round(withThem.megabytes),
    status: withThem.status,
  };
}

async function said(kind: 'websocket' | 'grpc', count: number, bytes: number) {
  await using load = await LoadStage.start();
  const { stage } = load;
  using client = await stage.client();
  const web = await WebClient.of(stage);
  const { sessionId } = await client.call('createSession', { workingFolder: stage.folder });
  const readers = await Promise.all(
    Array.from({ length: count }, () => silentReader(kind, { layout: stage.layout, web, sessionId })),
  );
  const bystander = await Bystander.start(stage.layout.root);
  for (let round = 0; round < 8; round += 1) {
    await converse(client, sessionId, `text-${Math.ceil(bytes / 8)}`, AbortSignal.timeout(LIMIT_MS));
  }
  const status = await bystander.end();
  const megabytes = megabytesOf([load.pids.engine]);
  for (const reader of readers) reader[Symbol.dispose]();
  return { megabytes, status };
}

/** The process that thinks for a session; 0 if there is none. */
async function agentOf(client: EngineClient, sessionId: string): Promise<number> {
  const { processes } = await client.call('status', {});
  return processes.find((one) => one.kind === 'agent' && one.sessionId === sessionId)?.pid ?? 0;
}

/** Sends one message and follows its session until it is settled. */
async function converse(client: EngineClient, sessionId: string, model: string, signal: AbortSignal) {
  const messageId = randomUUID();
  const options = { model: `openai-compatible/${model}` };
  const { promise, resolve } = Promise.withResolvers<number>();
  const send = timed(() =>
    client.call('sendMessage', { sessionId, messageId, content: 'Go.', options }, signal),
  );
  send.then(resolve, () => resolve(-1));
  const outcome = await outcomeOf(client, sessionId, messageId, signal);
  return { ms: await promise, outcome };
}

async function outcomeOf(client: EngineClient, sessionId: string, messageId: string, signal: AbortSignal) {
  for await (const { type, json } of client.stream(
    'watch',
    { sessionId, afterSeq: 0, follow: true },
    signal,
  )) {
    if (type !== 'settled') continue;
    const event: unknown = JSON.parse(json);
    if (typeof event !== 'object' || event === null || !('message' in event) || event.message !== messageId) {
      continue;
    }
    return 'outcome' in event ? String(event.outcome) : '';
  }
  return 'not settled';
}

function countsOf(all: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of all) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}
