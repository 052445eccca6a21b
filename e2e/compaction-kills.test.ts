import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApprovalMode } from '@bulkhead/protocol/client';
import {
  type RecordedRequest,
  type ScriptedModelServer,
  type ScriptedReply,
  startScriptedModelServer,
} from '@bulkhead/testkit';
import { sweepsAreWhole } from '@bulkhead/testkit/sweep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { branchProblems } from './crash/branch-problems.ts';
import { CrashHome } from './crash/crash-home.ts';
import { faultBuild } from './crash/fault-build.ts';
import { type StoredSession, StoredSessions } from './crash/stored-session.ts';
import { historyProblems, sentMessages } from './support/wire-history.ts';

const PARTS = 7;
const TASK = 'Read every piece, one after the other.';
/** The provider refuses it, however short it is, until the conversation is made shorter. */
const TOO_LONG = 'One too many.';
const SETTLED_MS = 150_000;
const STRUCK_MS = 30_000;
/** While it writes, it can be struck. */
const SUMMARY_MS = 250;

let server: ScriptedModelServer;
let home: CrashHome;
/** Runs once: when the model is asked for a summary. */
let onSummary: (() => void) | undefined;

beforeAll(async () => {
  const build = await faultBuild();
  server = await startScriptedModelServer(reply);
  const model = (name: string) =>
    `{ provider: openai-compatible, model: ${name}, contextWindow: 12000, baseUrl: '${server.url}/v1' }`;
  const title = '{ provider: offline, model: rules }';
  const config = `models: { title: ${title}, compaction: ${model('cheap')}, chat: ${model('large')} }`;
  home = new CrashHome(build, config);
});

afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  await server?.close();
});

/** Reads on from the last piece that the conversation, or its summary, tells of: after a death as before it. */
function reply(request: RecordedRequest): ScriptedReply {
  const usage = { input: Math.ceil(request.bytes / 4), output: 10 };
  const { bodyText } = request;
  if (bodyText.includes('Which durable facts')) return { text: 'FACT: none', usage };
  if (bodyText.includes('Write the summary')) {
    onSummary?.();
    onSummary = undefined;
    return { text: '## Goal\n- read on\n## Next\n- the next piece', usage, delayMs: SUMMARY_MS };
  }
  if (lastOf(request) === 'Answer at length.') {
    return { text: 'at length '.repeat(2_400), usage: { ...usage, output: 6_000 } };
  }
  if (lastOf(request) === TOO_LONG && !bodyText.includes('Previous conversation summary')) {
    return {
      error: { status: 400, code: 'context_length_exceeded', message: 'maximum context length exceeded' },
    };
  }
  const done = Math.max(0, ...[...bodyText.matchAll(/piece-(\d)\.txt/g)].map(([, number]) => Number(number)));
  if (!bodyText.includes(TASK)) return { text: 'good', usage };
  if (done >= PARTS) return { text: 'all is read', usage };
  return { toolCalls: [{ name: 'read', args: { path: `piece-${done + 1}.txt` } }], usage };
}

const lastOf = (request: RecordedRequest) =>
  sentMessages(request).findLast(({ role }) => role === 'user')?.text ?? '';

/** Messages that fill the conversation to its limit at the place that a case is about. */
const STORIES = {
  before: ['short', 'short', 'short', 'long'],
  inside: ['task'],
  after: ['short', 'answer', 'short'],
  'on overflow of': ['short', 'short', 'refused'],
} as const;

function wordsOf(kind: (typeof STORIES)[keyof typeof STORIES][number], at: number): string {
  const words = (count: number) => `message ${at} ${'and so on '.repeat(count)}`;
  return {
    short: words(300),
    long: words(1_500),
    task: TASK,
    answer: 'Answer at length.',
    refused: TOO_LONG,
  }[kind];
}

function stored(session: string): StoredSession {
  using sessions = new StoredSessions(home.layout.database);
  return sessions.read(session);
}

const ofType = (session: string, type: string) => stored(session).rows.filter((row) => row.type === type);

async function untilSettled(session: string, messages: readonly string[]): Promise<void> {
  const end = performance.now() + SETTLED_MS;
  const open = () => {
    const settled = new Set(ofType(session, 'settled').map(({ messageId }) => messageId));
    return messages.filter((id) => !settled.has(id));
  };
  while (open().length > 0) {
    if (performance.now() > end) throw new Error(`not settled: ${open().join(', ')}`);
    await home.call((client) => client.call('status', {}));
    await sleep(40);
  }
}

/** @param isStruck true once the engine was: what goes on behind a run is waited for */
async function tell(name: string, story: keyof typeof STORIES, isStruck: () => boolean): Promise<Told> {
  const folder = home.folder(name);
  for (let part = 1; part <= PARTS; part += 1) {
    writeFileSync(join(folder, `piece-${part}.txt`), `${part} plank and rope\n`.repeat(350));
  }
  const { sessionId } = await home.call((client) => client.call('createSession', { workingFolder: folder }));
  const messages: string[] = [];
  for (const [at, kind] of STORIES[story].entries()) {
    const messageId = `${name}-${at}`;
    const options = { approve: ApprovalMode.ALLOW };
    const content = wordsOf(kind, at);
    await home.call((client) => client.call('sendMessage', { sessionId, messageId, content, options }));
    messages.push(messageId);
    await untilSettled(sessionId, messages);
    for (let waited = 0; kind === 'answer' && !isStruck() && waited < STRUCK_MS; waited += 40)
      await sleep(40);
  }
  return { session: sessionId, messages };
}

interface Told {
  readonly session: string;
  readonly messages: readonly string[];
}

const POINTS = ['compaction.begun', 'compaction.answered', 'compaction.recorded'] as const;
/** Every story and every step; `npm run proof` tries the others as well. */
const SHARE = [
  ['before', 'compaction.begun'],
  ['inside', 'compaction.answered'],
  ['inside', 'compaction.recorded'],
  ['after', 'compaction.answered'],
  ['on overflow of', 'the summary is written'],
] as const;
const WHOLE = [
  ...(['before', 'inside'] as const).flatMap((story) =>
    [...POINTS, 'the summary is written'].map((step) => [story, step] as const),
  ),
  ['after', 'compaction.answered'],
  ['after', 'the summary is written'],
  ['on overflow of', 'compaction.answered'],
  ['on overflow of', 'the summary is written'],
] as const;

describe('an engine that is killed while a conversation is made shorter', () => {
  it.each(sweepsAreWhole ? WHOLE : SHARE)(
    '%s a run, when %s: the run goes on, its words and pairs are whole, each message is settled once [FT71] [K2] [K3] [K4] [T8]',
    { timeout: 120_000 },
    async (story, step) => {
      const from = server.requests.length;
      const fired = home.fired().length;
      let struck = 0;
      if (step === 'the summary is written') {
        onSummary = () => {
          struck = home.processes.kill('engine');
        };
      } else home.arm(`${step}:kill:1`);
      const strikes = () => struck + home.fired().length - fired;
      const name = `${story}-${step}`.replaceAll(/\W/g, '-');
      const { session, messages } = await tell(name, story, () => strikes() > 0);
      home.disarm();
      expect(strikes()).toBe(1);

      const settled = ofType(session, 'settled');
      expect(settled.map(({ messageId, body }) => `${messageId} ${String(body['outcome'])}`)).toEqual(
        messages.map((id) => `${id} completed`),
      );
      expect(branchProblems(stored(session))).toEqual([]);
      const requests = server.requests.slice(from).filter(({ body }) => modelOf(body) === 'large');
      expect(requests.flatMap((request) => historyProblems(sentMessages(request)))).toEqual([]);
      expect(ofType(session, 'compaction').length).toBeGreaterThan(0);
      // All that summarises goes to the model that is configured for it.
      const summaries = server.requests
        .slice(from)
        .filter(({ bodyText }) => bodyText.includes('Write the summary'));
      expect(new Set(summaries.map(({ body }) => modelOf(body)))).toEqual(new Set(['cheap']));
      const opening = sentMessages(requests.at(-1) ?? expect.unreachable())[0]?.text ?? '';
      expect(opening).toMatch(/^\[Previous conversation summary:/);
      if (story !== 'inside') return;
      expect(settled[0]?.body['answer']).toBe('all is read');
      expect(opening).toContain(TASK);
      expect(opening).toContain('piece-1.txt');
    },
  );

  it('leaves the database whole', () => {
    using sessions = new StoredSessions(home.layout.database);
    expect(sessions.integrity()).toBe('ok');
  });
});

function modelOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, 'model') : undefined;
}
