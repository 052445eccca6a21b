import { create } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import {
  SteerDeliverySchema,
  ToolDefsDeliverySchema,
  ToolResultDeliverySchema,
} from '@bulkhead/protocol/agent';
import { describe, expect, it } from 'vitest';
import { delta } from '../testing/messages.ts';
import { ResultChannel } from './result-channel.ts';

function result(callId: string, text: string) {
  return create(ToolResultDeliverySchema, { result: { callId, name: 'x', text } });
}

describe('ResultChannel', () => {
  it('brings answers to those who wait, whichever comes first, and takes an id again', async () => {
    const channel = new ResultChannel();
    channel.deliverToolResult(result('a', 'early'));
    expect((await channel.toolResult('a')).result?.text).toBe('early');
    const waiting = channel.toolResult('a');
    channel.deliverToolResult(result('a', 'late'));
    expect((await waiting).result?.text).toBe('late');
    const defs = channel.toolDefs('a');
    channel.deliverToolDefs(create(ToolDefsDeliverySchema, { callId: 'a', known: ['git'] }));
    expect((await defs).known).toEqual(['git']);
  });

  it('keeps the deltas of each request apart and in order', async () => {
    const channel = new ResultChannel();
    const one = channel.model('1');
    const first = one.next();
    channel.deliverDelta(delta('2', { case: 'text', value: 'other' }));
    for (const value of ['a', 'b', 'c']) channel.deliverDelta(delta('1', { case: 'text', value }));
    const texts = [await first, await one.next(), await one.next()].map(({ value }) => value?.delta.value);
    expect(texts).toEqual(['a', 'b', 'c']);
    expect((await channel.model('2').next()).value?.delta.value).toBe('other');
  });

  it('gives what a person said before the last answer, once, and keeps what came after it [L8]', async () => {
    const channel = new ResultChannel();
    const steer = (text: string) => create(SteerDeliverySchema, { messageId: text, text });
    const taken = () => channel.steers().map(({ text }) => text);
    channel.deliverSteer(steer('during the answer'));
    expect(taken()).toEqual([]);
    channel.deliverToolResult(result('a', ''));
    channel.deliverSteer(steer('during the batch'));
    channel.deliverToolDefs(create(ToolDefsDeliverySchema, { callId: 'b' }));
    channel.deliverSteer(steer('too late'));
    expect(taken()).toEqual(['during the answer', 'during the batch']);
    expect(taken()).toEqual([]);
    channel.deliverToolResult(result('c', ''));
    expect(taken()).toEqual(['too late']);
  });

  it('hands failures to those who wait', async () => {
    const channel = new ResultChannel();
    const failure = new BulkheadError('context_overflow', 'too large');
    const [tool, defs] = [channel.toolResult('a'), channel.toolDefs('b')];
    channel.failToolResult('a', failure);
    channel.failToolDefs('b', failure);
    channel.failModel('1', failure);
    await expect(tool).rejects.toBe(failure);
    await expect(defs).rejects.toBe(failure);
    expect((await channel.model('1').next()).value?.delta).toMatchObject({
      case: 'failed',
      value: { code: 'context_overflow' },
    });
  });
});
