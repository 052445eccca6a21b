import { once } from 'node:events';
import { create } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import {
  ApprovalAnswer,
  ApprovalMode,
  CancelRunResponseSchema,
  DecideApprovalResponseSchema,
  Delivery,
  SendMessageResponseSchema,
  SubmitToolResultResponseSchema,
  type WatchResponse,
  WatchResponseSchema,
} from '@bulkhead/protocol/client';
import { VirtualTime } from '@bulkhead/testkit/simulation';
import { describe, expect, it } from 'vitest';
import { EngineLink } from '../engine-link.ts';
import { scriptedClient } from '../testing/scripted-client.ts';
import type { ClientTool } from './client-tool.ts';
import { type Decision, Session } from './session.ts';

type Body = Readonly<Record<string, unknown>>;

/** A session of an engine that answers with fixed values and replays the given events. */
function stage(events: readonly Body[] = [], answers: { yes?: boolean; duplicate?: boolean } = {}) {
  const { yes = true, duplicate = false } = answers;
  const asked: unknown[] = [];
  const lines = events.map((body, at) => line({ ...body, seq: at + 1 }, at + 1));
  const client = scriptedClient(
    {
      sendMessage: async (input) => {
        asked.push(input);
        return create(SendMessageResponseSchema, { afterSeq: 1, duplicate });
      },
      decideApproval: async (input) => {
        asked.push(input);
        return create(DecideApprovalResponseSchema, { accepted: yes });
      },
      cancelRun: async (input) => {
        asked.push(input);
        return create(CancelRunResponseSchema, { cancelled: yes });
      },
      submitToolResult: async (input) => {
        asked.push(input);
        return create(SubmitToolResultResponseSchema, {});
      },
    },
    {
      watch: async function* ({ afterSeq = 0, follow = false }, signal) {
        asked.push({ afterSeq, follow });
        yield* lines.filter(({ seq }) => seq > afterSeq);
        if (!follow) return;
        if (signal?.aborted === false) await once(signal, 'abort');
        throw new BulkheadError('cancelled', 'closed');
      },
    },
  );
  const life = new AbortController();
  const link = new EngineLink(client, async () => client, new VirtualTime());
  let ids = 0;
  const session = new Session({
    link,
    id: 's',
    folder: '/w',
    newId: () => `id-${++ids}`,
    life: life.signal,
    onConnection: () => {},
    takenCalls: new Set(),
  });
  return { session, asked, life };
}

function line(body: Body, seq: number): WatchResponse {
  return create(WatchResponseSchema, {
    seq,
    ephemeral: false,
    json: JSON.stringify({ ...ENVELOPE, ...body }),
  });
}

const ENVELOPE: Body = { session: 's', turn: 'r', time: '2026-01-01T00:00:00.000Z' };

const OWN: readonly Body[] = [
  { type: 'session_title', turn: '', title: 'before' },
  { type: 'agent_start', message: 'm', model: 'x/y' },
  { type: 'client_call', action: 'a', call: 'c', name: 'client_dice', arguments: { sides: 6 }, expires: '' },
];

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('a session of the SDK', () => {
  it('asks the engine for nothing that the program did not say', async () => {
    const { session, asked } = stage();
    const run = await session.send('hi');
    expect([session.id, session.folder, run.messageId]).toEqual(['s', '/w', 'id-1']);
    expect(asked).toEqual([
      {
        sessionId: 's',
        messageId: 'id-1',
        content: 'hi',
        delivery: Delivery.UNSPECIFIED,
        images: [],
        options: {
          approve: ApprovalMode.DENY,
          model: '',
          baseUrl: '',
          maxRounds: 0,
          dryRun: false,
          clientTools: [],
        },
      },
    ]);
  });

  it('sends every option as it was given, and the bytes of images', async () => {
    const { session, asked } = stage();
    const data = Buffer.from([1, 2, 3]);
    await session.send('hi', {
      messageId: 'm',
      approve: 'ask',
      model: 'x/y',
      baseUrl: 'http://localhost:1/',
      maxRounds: 3,
      dryRun: true,
      images: [{ mediaType: 'image/png', data }],
    });
    expect(asked).toMatchObject([
      {
        messageId: 'm',
        images: [{ mediaType: 'image/png', data: Uint8Array.of(1, 2, 3) }],
        options: {
          approve: ApprovalMode.ASK,
          model: 'x/y',
          baseUrl: 'http://localhost:1/',
          maxRounds: 3,
          dryRun: true,
        },
      },
    ]);
  });

  it.each([
    ['queue', Delivery.UNSPECIFIED],
    ['steer', Delivery.STEER],
    ['interrupt', Delivery.INTERRUPT],
    ['refuse', Delivery.INVOKE],
  ] as const)('delivers by %s', async (delivery, expected) => {
    const { session, asked } = stage();
    await session.send('hi', { delivery });
    expect(asked).toMatchObject([{ delivery: expected }]);
  });

  it.each([
    ['deny', ApprovalAnswer.DENY],
    ['once', ApprovalAnswer.ALLOW_ONCE],
    ['session', ApprovalAnswer.ALLOW_SESSION],
    ['always', ApprovalAnswer.ALLOW_ALWAYS],
  ] satisfies [Decision, ApprovalAnswer][])(
    'answers %s for the hash in question',
    async (decision, answer) => {
      for (const yes of [true, false]) {
        const { session, asked } = stage([], { yes });
        expect(await session.decide({ approval: 'q', hash: 'h' }, decision)).toBe(yes);
        expect(asked).toEqual([{ sessionId: 's', approvalId: 'q', actionHash: 'h', answer }]);
        expect(await session.cancel()).toBe(yes);
        expect(asked[1]).toEqual({ sessionId: 's' });
      }
    },
  );

  it('reads stored events after a number, and leaves out unknown ones', async () => {
    const { session, asked } = stage([...OWN, { type: 'of_a_later_version' }]);
    const types = async (options?: { after: number }) =>
      (await all(session.events(options))).map(({ type }) => type);
    expect(await types()).toEqual(['session_title', 'agent_start', 'client_call']);
    expect(await types({ after: 1 })).toEqual(['agent_start', 'client_call']);
    expect(asked).toEqual([
      { afterSeq: 0, follow: false },
      { afterSeq: 1, follow: false },
    ]);
  });

  it.each(['signal', 'life'] as const)('follows events until the %s ends', async (which) => {
    const { session, life, asked } = stage(OWN);
    const own = new AbortController();
    const seen: string[] = [];
    const reading = async () => {
      for await (const { type } of session.events({ follow: true, signal: own.signal })) {
        seen.push(type);
        if (seen.length === OWN.length) (which === 'life' ? life : own).abort();
      }
    };
    await expect(reading()).rejects.toMatchObject({ code: 'cancelled' });
    expect(seen).toEqual(OWN.map(({ type }) => type));
    expect(asked).toEqual([{ afterSeq: 0, follow: true }]);
  });
});

describe('tools of a program', () => {
  const dice: ClientTool = { name: 'dice', description: 'rolls', run: () => '4' };

  it('are offered with their schema, if they have one', async () => {
    const { session, asked, life } = stage();
    const inputSchema = { type: 'object' };
    await session.send('hi', { tools: [dice, { ...dice, name: 'other', inputSchema }] });
    expect(asked[0]).toMatchObject({
      options: {
        clientTools: [
          { name: 'dice', description: 'rolls', inputSchemaJson: '' },
          { name: 'other', description: 'rolls', inputSchemaJson: '{"type":"object"}' },
        ],
      },
    });
    life.abort();
  });

  it.each<[string, boolean, Partial<ClientTool>, object]>([
    ['with its result', false, {}, { text: '4', isError: false }],
    ['with its error', false, { run: () => Promise.reject(new Error('no dice')) }, { text: 'no dice' }],
    ['without a second execution after a repeat', true, {}, { isError: true }],
    ['if this program has no such tool', false, { name: 'card' }, { isError: true }],
  ])('are answered %s', async (_how, duplicate, change, answer) => {
    const { session, asked, life } = stage(
      OWN.map((body) => (body['type'] === 'client_call' ? { ...body, name: 'dice' } : body)),
      { duplicate },
    );
    let runs = 0;
    const { run = dice.run, name = dice.name } = change;
    const tool: ClientTool = {
      ...dice,
      name,
      run: async (args, signal) => {
        runs += 1;
        expect(args).toEqual({ sides: 6 });
        expect(signal.aborted).toBe(false);
        return await run(args, signal);
      },
    };
    await session.send('hi', { messageId: 'm', tools: [tool] });
    // A second listener of the same message answers no call again.
    await session.send('hi', { messageId: 'm', tools: [tool] });
    const submitted = () => asked.filter((one) => typeof one === 'object' && one !== null && 'callId' in one);
    await expect.poll(submitted).toMatchObject([{ sessionId: 's', callId: 'c', ...answer }]);
    expect(runs).toBe(duplicate || name === 'card' ? 0 : 1);
    life.abort();
  });

  it('are not watched for a message without any', async () => {
    const { session, asked } = stage(OWN);
    await session.send('hi', { messageId: 'm' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toHaveLength(1);
  });
});
