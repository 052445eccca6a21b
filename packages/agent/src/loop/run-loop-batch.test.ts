import { setTimeout as sleep } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import { RunEnd, ToolResultDeliverySchema } from '@bulkhead/protocol/agent';
import { StopReason } from '@bulkhead/protocol/chat';
import { describe, expect, it } from 'vitest';
import { answer, answered, processRequest, type ScriptCall } from '../testing/messages.ts';
import { ScriptedCaller } from '../testing/scripted-caller.ts';

function batch(...calls: readonly ScriptCall[]) {
  return answered(answer(...calls), StopReason.TOOL_CALLS);
}

describe('runLoop: batches', () => {
  it('proposes neighbouring read-only calls together and all others alone, in order [L4]', async () => {
    const delays = new Map([
      ['r1', 20],
      ['r2', 1],
      ['w1', 5],
      ['w2', 1],
    ]);
    const caller = new ScriptedCaller({
      models: [
        batch(
          { id: 'r1', name: 'read' },
          { id: 'r2', name: 'ls' },
          { id: 'w1', name: 'write' },
          { id: 'w2', name: 'write' },
          { id: 'r3', name: 'read' },
        ),
      ],
      result: async ({ callId }) => {
        await sleep(delays.get(callId) ?? 0);
        return callId;
      },
    });
    await caller.run(processRequest());
    expect(caller.trace).toEqual([
      'propose r1',
      'propose r2',
      'result r2',
      'result r1',
      'propose w1',
      'result w1',
      'propose w2',
      'result w2',
      'propose r3',
      'result r3',
    ]);
    const results = caller.requests[1]?.messages.flatMap(({ role }) =>
      role.case === 'tool' ? [role.value.text.split('\n')[1]] : [],
    );
    expect(results).toEqual(['r1', 'r2', 'w1', 'w2', 'r3']);
    expect(caller.requests).toHaveLength(2);
  });

  it('proposes unknown names and broken arguments like any other call [L4]', async () => {
    const caller = new ScriptedCaller({
      models: [batch({ id: 'a', name: 'no_such_tool' }, { id: 'b', name: 'read', json: '{"path":' })],
    });
    await caller.run(processRequest());
    expect(caller.proposed).toEqual(['a', 'b']);
  });

  it('ends without another model round if every result says so [L6]', async () => {
    const calls = [
      { id: 'a', name: 'write' },
      { id: 'b', name: 'write' },
    ];
    const all = new ScriptedCaller({
      models: [answered(answer('Sent.', ...calls), StopReason.TOOL_CALLS)],
      terminate: () => true,
    });
    expect(await all.run(processRequest())).toMatchObject({ content: 'Sent.', end: RunEnd.TERMINATED });
    expect(all.requests).toHaveLength(1);
    const some = new ScriptedCaller({ models: [batch(...calls)], terminate: ({ callId }) => callId === 'a' });
    expect(await some.run(processRequest())).toMatchObject({ content: 'done', end: RunEnd.COMPLETED });
    expect(some.requests).toHaveLength(2);
  });

  it('ends with an error if a result is not the one that was waited for', async () => {
    const caller = new ScriptedCaller({ models: [batch({ id: 'a', name: 'write' })] });
    caller.results.toolResult = async () => create(ToolResultDeliverySchema);
    expect(await caller.run(processRequest())).toMatchObject({ type: 'error', code: 'protocol_violation' });
  });
});

describe('runLoop: load_tools', () => {
  it('is proposed like any call, and what it loaded is used for the rest of the batch [L3] [L4]', async () => {
    const calls = [
      { id: 'r', name: 'read' },
      { id: 'l', name: 'load_tools', json: '{"groups":["git"]}' },
      { id: 'g1', name: 'git_status' },
      { id: 'g2', name: 'git_status' },
    ];
    const loads = ({ name }: { readonly name: string }) => (name === 'load_tools' ? ['git_status'] : []);
    const caller = new ScriptedCaller({ models: [batch(...calls)], loads });
    await caller.run(processRequest());
    expect(caller.trace).toEqual([
      'propose r',
      'result r',
      'propose l',
      'result l',
      'propose g1',
      'propose g2',
      'result g1',
      'result g2',
    ]);
    const unloaded = new ScriptedCaller({ models: [batch(...calls)] });
    await unloaded.run(processRequest());
    expect(unloaded.trace.slice(-4)).toEqual(['propose g1', 'result g1', 'propose g2', 'result g2']);
  });
});
