import { create } from '@bufbuild/protobuf';
import {
  AgentErrorSchema,
  type AttachRequest,
  CompactionResultSchema,
  LlmTokenEmittedSchema,
  MemoryFlushSchema,
  ResponseCompleteSchema,
} from '@bulkhead/protocol/agent';
import { describe, expect, it } from 'vitest';
import { EventOrder } from './event-order.ts';

const token: AttachRequest['event'] = { case: 'token', value: create(LlmTokenEmittedSchema) };
const error = (runId: string): AttachRequest['event'] => ({
  case: 'error',
  value: create(AgentErrorSchema, { runId }),
});
const complete = (runId: string): AttachRequest['event'] => ({
  case: 'complete',
  value: create(ResponseCompleteSchema, { runId }),
});

describe('EventOrder', () => {
  it('lets events of a run come between its request and its end', () => {
    const order = new EventOrder();
    expect(order.violation(token)).toContain('outside a run');
    order.sent('process', 'a');
    expect(order.violation(token)).toBeUndefined();
    expect(order.violation({ case: 'memoryFlush', value: create(MemoryFlushSchema) })).toBeUndefined();
    expect(order.violation(complete('a'))).toBeUndefined();
    expect(order.violation(token)).toContain('outside a run');
  });

  it('lets every run end once, well or badly', () => {
    const order = new EventOrder();
    order.sent('process', 'a');
    order.sent('process', 'b');
    expect(order.violation(error('b'))).toBeUndefined();
    expect(order.violation(error('b'))).toContain('was not given');
    expect(order.violation(complete('a'))).toBeUndefined();
    expect(order.violation(complete('a'))).toContain('was not given');
  });

  it('lets an error without a run answer a compaction, once, and nothing answer a steer', () => {
    const order = new EventOrder();
    expect(order.violation(error(''))).toContain('nothing asked');
    order.sent('steer', '');
    expect(order.violation(error(''))).toContain('nothing asked');
    order.sent('compact', '');
    expect(order.violation(error(''))).toBeUndefined();
    order.sent('compact', '');
    const result: AttachRequest['event'] = {
      case: 'compactionResult',
      value: create(CompactionResultSchema),
    };
    expect(order.violation(result)).toBeUndefined();
    expect(order.violation(result)).toContain('nothing asked');
  });

  it('takes an event it does not know for a violation', () => {
    expect(new EventOrder().violation({ case: undefined })).toContain('does not know');
  });
});
