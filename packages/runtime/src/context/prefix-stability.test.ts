import { create } from '@bufbuild/protobuf';
import type { Reply } from '@bulkhead/home/testing';
import type { Context } from '@bulkhead/log/context';
import { plainMind } from '@bulkhead/mind/testing';
import { createModelClient } from '@bulkhead/models';
import type { ModelCall, ModelClient } from '@bulkhead/protocol';
import { TurnContextSchema } from '@bulkhead/protocol/agent';
import { AssistantMessageSchema, StopReason, UsageSchema } from '@bulkhead/protocol/chat';
import { startScriptedModelServer } from '@bulkhead/testkit';
import { expect, it } from 'vitest';
import { ModelCompactor } from '../run/model-compactor.ts';
import { type StageOptions, sessionStage } from '../testing/session-stage.ts';

type CompactorOf = NonNullable<StageOptions['compactorOf']>;
type CompactorParts = Parameters<CompactorOf>[1];

const TURNS = 40;
/**
 * The parts of a session, in characters: a read file, an answer, a chunk of memory. It stays below
 * the window.
 */
const FILE = 5_000;
/** Of the budget: 40 turns reach so much of it once. */
const COMPACTED_AT = 0.35;
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

/** A compactor of the engine's own, whose model says the same of everything. */
function summariser({ log, timers, redaction }: Context, { ledger }: CompactorParts): ModelCompactor {
  const model: ModelClient = {
    name: 'cheap/m',
    contextWindow: 50_000,
    price: { input: 1, output: 1, cachedInput: 1 },
    async *stream() {
      const value = { text: '## Goal\n- read on\n## Next\n- the next file' };
      const message = create(AssistantMessageSchema, { parts: [{ part: { case: 'text', value } }] });
      const usage = create(UsageSchema, { inputTokens: 900, outputTokens: 90 });
      yield { type: 'finish', message, stopReason: StopReason.STOP, usage };
    },
  };
  return new ModelCompactor({
    settings: { enabled: true, at: COMPACTED_AT, keep: 0.3 },
    model: () => model,
    calls: { log, ledger, now: () => 1 },
    redaction,
    timers,
    keepsFacts: () => true,
  });
}

/**
 * The model calls of a session in which every turn uses a tool, loads one more group once, and is shown other memory.
 *
 * @param compactorOf without it, nothing is made shorter
 */
async function callsOfSession(compactorOf?: CompactorOf) {
  // Where no provider counts, the engine does: by the size of what there is.
  const counted = compactorOf === undefined ? {} : { inputTokens: 0 };
  const replies: Reply[] = Array.from({ length: TURNS }, (_, turn) => [
    turn === 10
      ? { calls: [['load_tools', { groups: ['web'] }] as const], ...counted }
      : { calls: [['read', { path: `f${turn}` }] as const, ['ls', { path: '.' }] as const], ...counted },
    { text: text(turn, ANSWER), ...counted },
  ]).flat();
  const mind = plainMind('linux');
  let asked = 0;
  const stage = sessionStage({
    replies,
    ...(compactorOf === undefined ? {} : { compactorOf }),
    act: ({ tool, canonicalArguments }) => ({
      text: `${tool} ${canonicalArguments} ${text(asked, tool === 'read' ? FILE : 300)}`,
      isError: false,
    }),
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
  });
  const session = stage.create();
  for (let turn = 0; turn < TURNS; turn += 1) {
    stage.send(session, `message ${turn}`);
    await stage.settle();
  }
  expect(stage.outcomes(session).filter((outcome) => outcome.endsWith('completed'))).toHaveLength(TURNS);
  const compactions = stage.types(session).filter((type) => type === 'session_compact').length;
  return { calls: stage.asked.map(({ call }) => call), compactions };
}

/**
 * The parts that a provider caches by: tools, system part, messages, in this order, without marks
 * of cache points.
 */
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

const PROVIDERS = ['anthropic', 'openai-compatible'] as const;

/** The repeated part of a session's requests, as a provider sees it. */
async function measured(provider: (typeof PROVIDERS)[number], calls: readonly ModelCall[]) {
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
  const sum = { kept: 0, stored: 0, sent: 0 };
  const whole = { kept: 0, stored: 0 };
  let anew = 0;
  for (const [at, body] of bodies.entries()) {
    const last = bodies[at - 1];
    // A group that is loaded comes before everything else in a provider's order: that one request begins anew.
    if (last === undefined || calls[at]?.tools.length !== calls[at - 1]?.tools.length) continue;
    const shared = sharedBytes(last, body);
    const stored = last.length - (tails[at - 1] ?? 0);
    sum.kept += shared;
    sum.stored += stored;
    sum.sent += body.length - (tails[at] ?? 0);
    if (shared < 0.99 * stored) anew += 1;
    if (openingOf(calls[at]) !== openingOf(calls[at - 1])) continue;
    whole.kept += shared;
    whole.stored += stored;
  }
  const figures = {
    repeated: sum.kept / sum.stored,
    /** Of neighbours between which nothing was made shorter. */
    withoutCompaction: whole.kept / whole.stored,
    known: sum.kept / sum.sent,
    anew,
  };
  process.stdout.write(`prefix of ${provider}: ${JSON.stringify(figures)}\n`);
  return figures;
}

const openingOf = (call: ModelCall | undefined) => JSON.stringify(call?.messages[0]);

it.each(PROVIDERS)(
  'repeats the beginning of a request byte for byte over 40 turns with tools and memory, at %s [C5]',
  { timeout: 60_000 },
  async (provider) => {
    const { calls } = await callsOfSession();
    expect(calls.length).toBe(2 * TURNS);
    const figures = await measured(provider, calls);
    // Old results become lines in batches that pay [K5]; but for those few requests, all that was stored repeats.
    expect(figures.anew).toBeLessThanOrEqual(3);
    expect(figures.repeated).toBeGreaterThanOrEqual(0.95);
    expect(figures.known).toBeGreaterThanOrEqual(0.93);
  },
);

it.each(PROVIDERS)(
  'begins anew once more where the conversation is made shorter, and repeats from there on, at %s [C5] [K4]',
  { timeout: 60_000 },
  async (provider) => {
    const { calls, compactions } = await callsOfSession(summariser);
    expect(compactions).toBe(1);
    const figures = await measured(provider, calls);
    expect(figures.anew).toBeLessThanOrEqual(3);
    expect(figures.withoutCompaction).toBeGreaterThanOrEqual(0.95);
    expect(figures.repeated).toBeGreaterThanOrEqual(0.93);
  },
);
