import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineClient } from '@bulkhead/client';
import type { Setting } from '../figure.ts';
import { sizeOf } from '../memory-size.ts';
import { monotonicMs } from '../monotonic-ms.ts';
import { Poll, type PolledCall, timed } from '../poll.ts';
import { commandOf, processTree } from '../process-table.ts';
import { quiet } from '../product.ts';
import { AudienceProcess, type Turn } from '../watching/audience-process.ts';

const POLL_MS = 20;
/** Between two messages, and between two lists, that come while all answers stream. */
const SEND_PAUSE_MS = 20;
const LIST_PAUSE_MS = 200;
const LISTED = 50;
const LISTS_OF_ALL = 5;

/** The requests to model and sessions. */
export interface Turns {
  /** Answers when all have asked, and takes some seconds. */
  readonly model: string;
  readonly turns: number;
}

/** All times in milliseconds. */
export interface LoadResult {
  /** From a message to its acknowledgement: all at once, to sessions that do nothing. */
  readonly sent: readonly number[];
  /** The same for one after the other, to sessions that stream; these messages wait. */
  readonly sentMeanwhile: readonly number[];
  readonly polledAtStart: readonly PolledCall[];
  readonly polledMeanwhile: readonly PolledCall[];
  /** p99 of how late the event loop of this process is, which is part of every time here. */
  readonly ownDelayMs: number;
  readonly listed: readonly number[];
  readonly listedAll: readonly number[];
  /** Of all processes while all answers stream, MB. */
  readonly megabytes: number;
  /** The kinds of those processes. */
  readonly processes: string;
  /** From the first message to text in every session. */
  readonly speakingMs: number;
  /** From the first message to the last thing measured beside the streams. */
  readonly measuredMs: number;
  /** From the first message to the end of every run. */
  readonly wallMs: number;
  /** Events with text that watchers got. */
  readonly deltas: number;
}

/** Lets many sessions of a home with many stored ones work at once, each watched, and asks this and that meanwhile. */
export async function productTurns(setting: Setting, { model, turns }: Turns): Promise<LoadResult> {
  const { signal } = setting;
  await using product = await setting.stockedProduct(`agents: { max: ${turns} }`);
  await product.start();
  const supervisor = await product.running();
  using client = await product.connect();
  using asker = await product.connect();
  await using audience = await AudienceProcess.start(product.layout.root, signal);
  const messages = await newTurns(client, product.folder, turns);
  await audience.watch(messages);
  await quiet(supervisor);

  const ownDelay = monitorEventLoopDelay({ resolution: 5 });
  ownDelay.enable();
  const begin = monotonicMs();
  const atStart = new Poll(() => asker.call('status', {}, signal), POLL_MS);
  const sent = await Promise.all(messages.map((turn) => timed(() => send(client, turn, model, signal))));
  const speaking = await audience.next('speaking');
  const polledAtStart = await atStart.end();

  const meanwhile = new Poll(() => asker.call('status', {}, signal), POLL_MS);
  const lists = new Poll(() => client.call('listSessions', { limit: LISTED }, signal), LIST_PAUSE_MS);
  const sentMeanwhile: Promise<number>[] = [];
  for (const { sessionId } of messages) {
    await sleep(SEND_PAUSE_MS, undefined, { signal });
    const turn = { sessionId, messageId: randomUUID() };
    sentMeanwhile.push(timed(() => send(client, turn, 'hi', signal)));
  }
  const acknowledged = await Promise.all(sentMeanwhile);
  const polledMeanwhile = await meanwhile.end();
  const listed = await lists.end();
  ownDelay.disable();

  // The following work keeps this process busy for long stretches: nothing else is measured during
  // it.
  const megabytes = sizeOf([supervisor]);
  const processes = kindsOf(supervisor);
  const listedAll: number[] = [];
  for (let time = 0; time < LISTS_OF_ALL; time += 1) {
    listedAll.push(await timed(() => client.call('listSessions', {}, signal)));
  }
  const measuredMs = monotonicMs() - begin;
  const settled = await audience.next('settled');
  const failed = settled.outcomes.filter((outcome) => outcome !== 'completed');
  if (failed.length > 0) throw new Error(`${failed.length} of ${turns} turns ended with ${failed[0]}`);
  return {
    sent,
    sentMeanwhile: acknowledged,
    polledAtStart,
    polledMeanwhile,
    ownDelayMs: ownDelay.percentile(99) / 1e6,
    listed: listed.map(({ ms }) => ms),
    listedAll,
    megabytes,
    processes,
    speakingMs: speaking.at - begin,
    measuredMs,
    wallMs: settled.at - begin,
    deltas: settled.deltas,
  };
}

async function newTurns(client: EngineClient, folder: string, count: number): Promise<readonly Turn[]> {
  const turns: Turn[] = [];
  while (turns.length < count) {
    const { sessionId } = await client.call('createSession', { workingFolder: folder });
    turns.push({ sessionId, messageId: randomUUID() });
  }
  return turns;
}

function send(client: EngineClient, { sessionId, messageId }: Turn, model: string, signal: AbortSignal) {
  const options = { model: `openai-compatible/${model}` };
  return client.call('sendMessage', { sessionId, messageId, content: 'say hi', options }, signal);
}

/** How many processes run which program. */
function kindsOf(supervisor: number): string {
  const kinds = processTree(supervisor).map((pid) => /\/(\w+)\.m?js\b/.exec(commandOf(pid))?.[1] ?? 'other');
  const counts = Map.groupBy(kinds, (kind) => kind);
  return [...counts].map(([kind, all]) => `${all.length} ${kind}`).join(', ');
}
