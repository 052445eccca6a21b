import { create } from '@bufbuild/protobuf';
import { createModelClient } from '@bulkhead/models';
import type { ModelCall } from '@bulkhead/protocol';
import { TurnContextSchema } from '@bulkhead/protocol/agent';
import { startScriptedModelServer } from '@bulkhead/testkit';
import { expect, it } from 'vitest';
import type { Reply } from '../testing/scripted-reply.ts';
import { sessionStage } from '../testing/session-stage.ts';
import { plainMind } from './mind.ts';

const TURNS = 40;
/** What a session is made of, in characters: a file that is read, an answer, a chunk of memory. It stays below the window. */
const FILE = 5_000;
const ANSWER = 600;
const CHUNK = 600;

/** A text of its own for each number, so that nothing repeats by chance. */
function text(seed: number, length: number): string {
  let state = seed * 2_654_435_761;
  let made = '';
  while (made.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    made += `${state.toString(36)} `;
  }
  return made.slice(0, length);
}

/** The model calls of a session in which every turn uses a tool, loads one more group once, and is shown other memory. */
async function callsOfSession(): Promise<readonly ModelCall[]> {
  const replies: Reply[] = Array.from({ length: TURNS }, (_, turn) => [
    turn === 10
      ? { calls: [['load_tools', { groups: ['web'] }] as const] }
      : { calls: [['read', { path: `f${turn}` }] as const, ['ls', { path: '.' }] as const] },
    { text: text(turn, ANSWER) },
  ]).flat();
  const mind = plainMind('linux');
  let asked = 0;
  const stage = sessionStage({
    replies,
    act: ({ tool, canonicalArguments }) => ({
      text: `${tool} ${canonicalArguments} ${text(asked, tool === 'read' ? FILE : 300)}`,
      isError: false,
    }),
    services: {
      mind: {
        tell: async (question) => {
          asked += 1;
          const memory = Array.from({ length: 5 }, (_, at) => ({
            path: 'MEMORY.md',
            text: text(1_000 + asked * 5 + at, CHUNK),
          }));
          const turn = create(TurnContextSchema, { memory, now: `today at minute ${asked}` });
          return { ...(await mind.tell(question)), turn };
        },
      },
    },
  });
  const session = stage.create();
  for (let turn = 0; turn < TURNS; turn += 1) {
    stage.send(session, `message ${turn}`);
    await stage.settle();
  }
  expect(stage.outcomes(session).filter((outcome) => outcome.endsWith('completed'))).toHaveLength(TURNS);
  return stage.asked.map(({ call }) => call);
}

/** What a provider caches by: tools, system part, messages, in this order; marks of cache points are no part of it. */
function cachedForm(body: unknown): string {
  if (typeof body !== 'object' || body === null) return '';
  const unmarked = JSON.stringify(body, (key, value: unknown) =>
    key === 'cache_control' ? undefined : value,
  );
  const { tools, system, messages } = JSON.parse(unmarked);
  return [tools, system, messages].map((part) => JSON.stringify(part ?? [])).join('\n');
}

function sharedBytes(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

it.each(['anthropic', 'openai-compatible'] as const)(
  'repeats the beginning of a request byte for byte over 40 turns with tools and memory, at %s [C5]',
  { timeout: 60_000 },
  async (provider) => {
    const calls = await callsOfSession();
    expect(calls.length).toBe(2 * TURNS);
    await using stack = new AsyncDisposableStack();
    const server = await startScriptedModelServer(calls.map(() => ({ text: 'ok' })));
    stack.defer(() => server.close());
    const client = createModelClient(
      { provider, model: 'test-model', baseUrl: `${server.url}/v1` },
      { environment: { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' }, secret: () => undefined },
    );
    for (const call of calls) for await (const _event of client.stream(call, new AbortController().signal));
    const bodies = server.requests.map(({ body }) => cachedForm(body));
    const tails = calls.map(({ tail }) => JSON.stringify(tail).length);
    let kept = 0;
    let stored = 0;
    let sent = 0;
    let known = 0;
    let anew = 0;
    for (const [at, body] of bodies.entries()) {
      const last = bodies[at - 1];
      // A group that is loaded comes before everything else in a provider's order: that one request begins anew.
      if (last === undefined || calls[at]?.tools.length !== calls[at - 1]?.tools.length) continue;
      const shared = sharedBytes(last, body);
      kept += shared;
      stored += last.length - (tails[at - 1] ?? 0);
      sent += body.length - (tails[at] ?? 0);
      known += shared;
      if (shared < 0.99 * (last.length - (tails[at - 1] ?? 0))) anew += 1;
    }
    const figures = { repeated: kept / stored, known: known / sent, anew };
    process.stdout.write(`prefix of ${provider}: ${JSON.stringify(figures)}\n`);
    // Old results become lines in batches that pay [K5]; but for those few requests, all that was stored repeats.
    expect(figures.anew).toBeLessThanOrEqual(3);
    expect(figures.repeated).toBeGreaterThanOrEqual(0.95);
    expect(figures.known).toBeGreaterThanOrEqual(0.93);
  },
);
