import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { branchEntries, type EngineClient } from '@bulkhead/client';
import { createSqliteSessionStore } from '@bulkhead/sessions';
import type { Figure, Row, Setting } from '../figure.ts';
import type { ModelServer } from '../model-server-process.ts';
import { monotonicMs } from '../monotonic-ms.ts';
import { timed } from '../poll.ts';
import { type Product, quiet } from '../product.ts';
import { spread } from '../render.ts';
import { restartMs } from '../restart-time.ts';
import { summarise } from '../statistics.ts';
import { addExchanges } from '../store/fill-store.ts';
import { STORED_SESSIONS } from '../store/stock.ts';

const MESSAGES = 100_000;
const MESSAGE_LENGTH = 200;
const TURNS = 12;
const REPEATS = 10;
const RESTARTS = 5;

/** The cost of a very long session, against an empty one of the same home. */
export const history: Figure = {
  name: 'history',
  async measure(setting) {
    await using product = await setting.stockedProduct();
    const sessions = await makeLongAndShort(product, { messages: MESSAGES, length: MESSAGE_LENGTH });
    const bytes = statSync(product.layout.database).size;
    await product.start();
    return [...(await measureSessions(setting, product, sessions)), await restartRow(product, bytes)];
  },
};

async function measureSessions(
  setting: Setting,
  product: Product,
  sessions: LongAndShort,
): Promise<readonly Row[]> {
  using client = await product.connect();
  return [
    ...(await turnRows(setting, product, client, sessions)),
    ...(await treeRows(client, sessions)),
    await listRow(product, client),
  ];
}

async function turnRows(
  { server, signal }: Setting,
  product: Product,
  client: EngineClient,
  { long, short }: LongAndShort,
): Promise<readonly Row[]> {
  const supervisor = await product.running();
  const turn = async (session: string): Promise<TurnStart> => {
    await quiet(supervisor);
    return await measureTurn(client, server, session, signal);
  };
  const first = { long: [(await turn(long)).ms], short: [(await turn(short)).ms] };
  const times = { long: [] as number[], short: [] as number[] };
  let sent = 0;
  for (let time = 0; time < TURNS; time += 1) {
    const { ms, messages } = await turn(long);
    sent = messages;
    times.long.push(ms);
    times.short.push((await turn(short)).ms);
  }
  const more = summarise(times.long.map((value, index) => value - (times.short[index] ?? 0))).median;
  const count = MESSAGES.toLocaleString('en');
  const what = `\`SendMessage\` to the request at the model, a session of ${count} messages (${sent} are sent)`;
  return [
    {
      ...beside(what, times),
      target: { text: '≤ 20 ms over an empty session', limit: 20, value: more },
    },
    beside(
      'the same, the first turn after a start, of messages that no provider has counted: a tokenizer does, once',
      first,
    ),
  ];
}

async function treeRows(
  client: EngineClient,
  { long, short, answers }: LongAndShort,
): Promise<readonly Row[]> {
  const ends = [answers.at(answers.length / 2) ?? '', answers.at(-1) ?? ''];
  const shortEnds: string[] = [];
  for await (const { entryId } of branchEntries(client, { sessionId: short })) shortEnds.push(entryId);
  const forks = { long: [] as number[], short: [] as number[] };
  const moves = { long: [] as number[], short: [] as number[] };
  for (let time = 0; time < REPEATS; time += 1) {
    const entryId = ends[time % 2] ?? '';
    const shortEntryId = shortEnds.at(time % 2) ?? '';
    forks.long.push(
      await timed(async () => (await client.call('forkSession', { sessionId: long, entryId })).sessionId),
    );
    forks.short.push(
      await timed(
        async () => (await client.call('forkSession', { sessionId: short, entryId: shortEntryId })).sessionId,
      ),
    );
    moves.long.push(await timed(() => client.call('moveLeaf', { sessionId: long, entryId })));
    moves.short.push(await timed(() => client.call('moveLeaf', { sessionId: short, entryId: shortEntryId })));
  }
  return [
    beside('fork of that session, at its middle and its end', forks),
    beside('moving its leaf, likewise', moves),
  ];
}

async function listRow(product: Product, client: EngineClient): Promise<Row> {
  const calls: number[] = [];
  const commands: number[] = [];
  for (let time = 0; time < REPEATS; time += 1) {
    calls.push(await timed(() => client.call('listSessions', { limit: STORED_SESSIONS })));
    if (time % 2 === 0) commands.push((await product.listSessions(STORED_SESSIONS)).wallMs);
  }
  return {
    what: `list of ${STORED_SESSIONS} sessions, nothing else going on`,
    product: `${spread(calls, ' ms')}; \`sessions list\` ${spread(commands, ' ms')}`,
    bare: 'none',
    ratio: '',
    target: { text: '≤ 50 ms', limit: 50, value: summarise(calls).median },
  };
}

async function restartRow(product: Product, bytes: number): Promise<Row> {
  const times: number[] = [];
  for (let time = 0; time < RESTARTS; time += 1) times.push(await restartMs(product));
  return {
    what: `restart to ready, that session and ${STORED_SESSIONS} more in a database of ${(bytes / 1e6).toFixed(0)} MB`,
    product: spread(times, ' ms'),
    bare: 'none',
    ratio: '',
    target: { text: '≤ 1,000 ms', limit: 1_000, value: summarise(times).median },
  };
}

function beside(
  what: string,
  { long, short }: { readonly long: readonly number[]; readonly short: readonly number[] },
): Row {
  const product = `${shown(long)}, an empty session's ${shown(short)}`;
  return { what, product, bare: 'none', ratio: '' };
}

/** One value has no range. */
function shown(times: readonly number[]): string {
  return times.length === 1 ? `${times[0]?.toFixed(1)} ms` : spread(times, ' ms', 1);
}

interface TurnStart {
  /** From sending the message to the model having read the whole request, milliseconds. */
  readonly ms: number;
  /** How many messages the request held. */
  readonly messages: number;
}

/** Lets a session do one turn to its end. */
async function measureTurn(
  client: EngineClient,
  server: ModelServer,
  sessionId: string,
  signal: AbortSignal,
): Promise<TurnStart> {
  await server.take();
  const sentAt = monotonicMs();
  const { afterSeq } = await client.call(
    'sendMessage',
    { sessionId, messageId: randomUUID(), content: 'say hi' },
    signal,
  );
  for await (const { type } of client.stream('watch', { sessionId, afterSeq, follow: true }, signal)) {
    if (type === 'settled') break;
  }
  const [exchange] = await server.take();
  if (exchange === undefined) throw new Error(`the turn in ${sessionId} asked no model`);
  const body: { readonly messages?: readonly unknown[] } = JSON.parse(exchange.bodyText);
  return { ms: exchange.requestAt - sentAt, messages: body.messages?.length ?? 0 };
}

/** Two sessions of a home whose engine does not run. */
interface LongAndShort {
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
async function makeLongAndShort(
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
