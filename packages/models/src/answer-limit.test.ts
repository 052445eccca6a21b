import type { ScriptedModelServer, ScriptedReply } from '@bulkhead/testkit';
import { startScriptedModelServer } from '@bulkhead/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { callWith, clientFor } from './testing/model-fixtures.ts';
import { WIRE_CASES } from './testing/wire-cases.ts';

const MIB = 1024 * 1024;
const WORDS = 'word '.repeat(1_000);

let server: ScriptedModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** How much of an answer was accepted, and what ended it. */
async function outcomeOf(wire: (typeof WIRE_CASES)[number]['wire'], reply: ScriptedReply) {
  server = await startScriptedModelServer([reply]);
  let read = 0;
  try {
    for await (const event of clientFor(wire, server).stream(callWith(), new AbortController().signal)) {
      if (event.type !== 'finish') read += event.text.length;
    }
  } catch (error) {
    return { read, error };
  }
  return { read, error: undefined };
}

describe.each(WIRE_CASES)('an answer over $wire that is larger than any model gives', ({ wire }) => {
  const tooLarge = expect.objectContaining({
    code: 'answer_limit',
    retryable: false,
    message: expect.stringMatching(/was larger than \d MiB: reading stopped/),
  });

  it.each<readonly [string, ScriptedReply]>([
    ['in many pieces', { text: Array.from({ length: 1_000 }, () => WORDS) }],
    ['in one piece', { text: 'x'.repeat(12 * MIB) }],
    ['as arguments of a call', { toolCalls: [{ name: 'write', args: { content: 'x'.repeat(12 * MIB) } }] }],
  ])('ends %s with its true reason, and is not read to its end [FT68] [FG10]', async (_, reply) => {
    const { read, error } = await outcomeOf(wire, reply);
    expect(error).toEqual(tooLarge);
    expect(read).toBeLessThanOrEqual(MIB);
  });
});

it('passes on an answer of a million characters', async () => {
  const { read, error } = await outcomeOf('openai-compatible', {
    text: Array.from({ length: 200 }, () => WORDS),
  });
  expect([read, error]).toEqual([1_000_000, undefined]);
});
