import { create } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import { ModelAnswerSchema, SteerDeliverySchema, ToolResultDeliverySchema } from '@bulkhead/protocol/agent';
import { describe, expect, it } from 'vitest';
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
    const asked = channel.model('1');
    const other = create(ModelAnswerSchema, { requestId: '2' });
    channel.deliverAnswer(other);
    channel.deliverAnswer(create(ModelAnswerSchema, { requestId: '1' }));
    expect((await asked).requestId).toBe('1');
    expect(await channel.model('2')).toBe(other);
  });

  it('gives what a person said before the last answer, once, and keeps what came after it [L8]', async () => {
    const channel = new ResultChannel();
    const steer = (text: string) => create(SteerDeliverySchema, { message: { text } });
    const taken = () => channel.steers().map(({ message }) => message?.text);
    channel.deliverSteer(steer('during the answer'));
    expect(taken()).toEqual([]);
    channel.deliverToolResult(result('a', ''));
    channel.deliverSteer(steer('during the batch'));
    channel.deliverToolResult(result('b', ''));
    channel.deliverSteer(steer('too late'));
    expect(taken()).toEqual(['during the answer', 'during the batch']);
    expect(taken()).toEqual([]);
    channel.deliverToolResult(result('c', ''));
    expect(taken()).toEqual(['too late']);
  });

  it('hands failures to those who wait', async () => {
    const channel = new ResultChannel();
    const failure = new BulkheadError('context_overflow', 'too large');
    const waiting = channel.toolResult('a');
    channel.failToolResult('a', failure);
    await expect(waiting).rejects.toBe(failure);
  });
});
