import { create, toBinary } from '@bufbuild/protobuf';
import { RunDigest } from '@bulkhead/agent';
import { userMessage } from '@bulkhead/log/session/message-view';
import { ModelRequestSchema, ProcessRequestSchema } from '@bulkhead/protocol/agent';
import { expect, it } from 'vitest';
import { runStage } from '../testing/run-stage.ts';
import { RunRequests } from './run-requests.ts';

/** The facts and requests of a run, after a conversation of `length` messages. */
async function exchange(length: number) {
  const { setting, journal, chain, tools } = runStage();
  const history = Array.from({ length }, (_, at) => userMessage(`message ${at}`));
  const conversation = { history, run: journal.messages };
  const requests = new RunRequests({
    services: { actions: { tools } },
    setting,
    journal,
    chain,
    conversation,
  });
  const process = await requests.begin();
  const asked = create(ModelRequestSchema, { requestId: 'r:1', ...new RunDigest().of(process.run) });
  const bytes = [toBinary(ProcessRequestSchema, process), toBinary(ModelRequestSchema, asked)];
  return { bytes: bytes.map((each) => each.length), expanded: requests.expand(asked), requests, asked };
}

it('exchanges as many bytes with an agent after 10,000 messages as after 10, while the model sees all of them', async () => {
  const [short, long] = await Promise.all([exchange(10), exchange(10_000)]);
  expect(long.bytes).toEqual(short.bytes);
  expect(Math.max(...long.bytes)).toBeLessThan(200);
  expect([short, long].map(({ expanded }) => expanded.messages.length)).toEqual([11, 10_001]);
});

it('gives the same request the same digest, and another one another', async () => {
  const { expanded, requests, asked } = await exchange(10);
  expect(expanded).toMatchObject({ digest: expect.stringMatching(/^[0-9a-f]{64}$/), added: 'nothing' });
  expect(requests.expand(asked).digest).toBe(expanded.digest);
  expect((await exchange(10)).expanded.digest).toBe(expanded.digest);
  expect((await exchange(11)).expanded.digest).not.toBe(expanded.digest);
});
