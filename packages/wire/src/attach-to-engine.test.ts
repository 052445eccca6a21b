import { create, toBinary } from '@bufbuild/protobuf';
import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { AttachRequestSchema, AttachResponseSchema } from '@bulkhead/protocol/agent';
import { describe, expect, it } from 'vitest';
import { acceptProcess } from './accept-process.ts';
import { attachToEngine } from './attach-to-engine.ts';
import { socketPair } from './testing/socket-pair.ts';
import { agent, agentReady } from './testing/wires.ts';

const EACH_WAY = 8 * 1024 * 1024;

/** Sums the characters of the texts that come, until all have come. */
async function count<Message>(messages: AsyncIterable<Message>, lengthOf: (message: Message) => number) {
  let length = 0;
  for await (const message of messages) {
    length += lengthOf(message);
    if (length >= EACH_WAY) break;
  }
  return length;
}

describe('two ends that write at once', () => {
  it.each([1_000, 4_000, 100_000, EACH_WAY])(
    'both receive all of it, in messages of %i characters [FG10]',
    async (size) => {
      await using pair = await socketPair();
      const accepting = acceptProcess(pair.engine, agent, { token: 't', timeoutMs: 5_000 });
      const process = attachToEngine(pair.peer, agent);
      process.outbox.push(agentReady('t', PROTOCOL_VERSION));
      const engine = await accepting;
      const text = 'x'.repeat(size);
      const event = create(AttachRequestSchema, {
        event: { case: 'modelRequest', value: { requestId: text } },
      });
      const directive = create(AttachResponseSchema, {
        directive: { case: 'steer', value: { messageId: text } },
      });
      for (let sent = 0; sent < EACH_WAY; sent += size) {
        engine.outbox.push(toBinary(AttachResponseSchema, directive));
        process.outbox.push(toBinary(AttachRequestSchema, event));
        if (sent % 100_000 === 0) await new Promise(setImmediate);
      }
      const arrived = await Promise.all([
        count(engine.events, ({ event: { case: kind, value } }) =>
          kind === 'modelRequest' ? value.requestId.length : 0,
        ),
        count(process.directives, ({ directive: { case: kind, value } }) =>
          kind === 'steer' ? value.messageId.length : 0,
        ),
      ]);
      for (const length of arrived) expect(length).toBeGreaterThanOrEqual(EACH_WAY);
    },
    240_000,
  );
});
