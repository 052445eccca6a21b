import { BulkheadError } from '@bulkhead/protocol';
import { type ScriptedModelServer, type ScriptedReply, startScriptedModelServer } from '@bulkhead/testkit';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { callWith, clientFor, readAnswer, tool } from './testing/model-fixtures.ts';
import { WIRE_CASES, type WireCase } from './testing/wire-cases.ts';

/** Six wires more than the 200 that the fault requires. */
const MUTATIONS = 40;
const RUNNING: ScriptedModelServer[] = [];

afterEach(async () => {
  await Promise.all(RUNNING.splice(0).map((server) => server.close()));
});

const REPLY: ScriptedReply = {
  thinking: 'hm',
  text: ['grüße ', '🦀'],
  toolCalls: [{ name: 'ls', args: { path: 'ß', deep: [1, { a: null }] } }],
  usage: { input: 9, output: 4 },
};

async function plainAnswer({
  endpoint,
}: WireCase): Promise<{ readonly body: Buffer; readonly type: string }> {
  const plain = await startScriptedModelServer([REPLY]);
  const response = await fetch(plain.url + endpoint, { method: 'POST', body: '{"model":"test-model"}' });
  const body = Buffer.from(await response.arrayBuffer());
  await plain.close();
  return { body, type: response.headers.get('content-type') ?? '' };
}

/** A fault in bytes on their way: some are lost, doubled or replaced. */
const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 0, max: 40 }),
  insert: fc.oneof(
    fc.constantFrom('', '\n', '\n\n', 'data: ', '{}', 'null', '"', '}', '[DONE]', 'event: error\n', '\u0000'),
    fc.string({ maxLength: 12 }),
  ),
  doubled: fc.boolean(),
});

interface Mutation {
  /** Its place, as a fraction of the whole. */
  readonly at: number;
  readonly length: number;
  readonly insert: string;
  readonly doubled: boolean;
}

function mutated(body: Buffer, { at, length, insert, doubled }: Mutation): string {
  const from = Math.floor(at * body.length);
  const lost = body.subarray(from, from + length);
  const put = doubled ? [lost, Buffer.from(insert), lost] : [Buffer.from(insert)];
  return Buffer.concat([body.subarray(0, from), ...put, body.subarray(from + length)]).toString('latin1');
}

describe.each(WIRE_CASES)('$wire', (entry) => {
  it('ends with a whole answer or a typed error whatever happens to the bytes [FT69]', async () => {
    const { body, type } = await plainAnswer(entry);
    let next = '';
    const server = await startScriptedModelServer(() => ({
      error: { status: 200, body: next, headers: { 'content-type': type } },
    }));
    RUNNING.push(server);
    const client = clientFor(entry.wire, server, { firstTokenMs: 3_000, idleMs: 3_000 });
    await fc.assert(
      fc.asyncProperty(mutation, async (change) => {
        next = mutated(body, change);
        try {
          const { finish } = await readAnswer(client, callWith({ tools: [tool('ls')] }));
          expect(finish.message.parts.length).toBeLessThan(10);
        } catch (error) {
          expect(BulkheadError.is(error)).toBe(true);
          expect(error).not.toMatchObject({ code: 'internal' });
        }
      }),
      { numRuns: MUTATIONS },
    );
  });
});
