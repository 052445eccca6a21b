import { create } from '@bufbuild/protobuf';
import {
  AgentErrorSchema,
  type AttachRequest,
  ModelRequestSchema,
  ResponseCompleteSchema,
} from '@bulkhead/protocol/agent';
import { describe, expect, it } from 'vitest';
import { EventOrder } from './agent-connection.ts';

const asking: AttachRequest['event'] = { case: 'modelRequest', value: create(ModelRequestSchema) };
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
    expect(order.violation(asking)).toContain('outside a run');
    order.sent('process', 'a');
    expect(order.violation(asking)).toBeUndefined();
    expect(order.violation(complete('a'))).toBeUndefined();
    expect(order.violation(asking)).toContain('outside a run');
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

  it('takes an error without a run for a violation', () => {
    const order = new EventOrder();
    order.sent('process', 'a');
    expect(order.violation(error(''))).toContain('was not given');
  });

  it('takes an event it does not know for a violation', () => {
    expect(new EventOrder().violation({ case: undefined })).toContain('does not know');
  });
});
