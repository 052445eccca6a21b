import { RunEnd } from '@bulkhead/protocol/agent';
import { StopReason } from '@bulkhead/protocol/chat';
import { describe, expect, it } from 'vitest';
import { answer, answered, processRequest } from '../testing/messages.ts';
import { ScriptedCaller } from '../testing/scripted-caller.ts';
import type { LoopEvent } from './loop-event.ts';

const forever = new Promise<never>(() => undefined);

/** A caller whose run is cancelled as soon as it emits an event of `type`. */
function cancelOn(type: LoopEvent['type'], caller: ScriptedCaller): ScriptedCaller {
  const emit = caller.emit.bind(caller);
  caller.emit = (event) => {
    emit(event);
    if (event.type === type) setImmediate(() => caller.abort.abort());
  };
  return caller;
}

describe('runLoop: cancel', () => {
  it('does nothing at all if it was cancelled before [T9]', async () => {
    const caller = new ScriptedCaller({ models: [] });
    caller.abort.abort();
    await caller.run(processRequest());
    expect(caller.events).toEqual([{ type: 'complete', end: RunEnd.CANCELLED }]);
  });

  it('ends at once while the model answers [T9] [L6]', async () => {
    const caller = cancelOn('model_request', new ScriptedCaller({ models: [] }));
    caller.results.model = () => forever;
    expect(await caller.run(processRequest())).toMatchObject({ content: '', end: RunEnd.CANCELLED });
  });

  it('ends at once while calls are out, and names them as not done [T9] [L5]', async () => {
    const calls = [
      { id: 'a', name: 'read' },
      { id: 'b', name: 'ls' },
    ];
    const models = [answered(answer('look', ...calls), StopReason.TOOL_CALLS)];
    const caller = cancelOn('tool_call', new ScriptedCaller({ models, result: () => forever }));
    const end = await caller.run(processRequest());
    expect(end).toMatchObject({ end: RunEnd.CANCELLED });
    expect(end.type === 'complete' && end.thoughts.map(({ summary, success }) => [summary, success])).toEqual(
      [
        ['look', false],
        ['read -> no result', false],
        ['ls -> no result', false],
      ],
    );
  });

  it('leaves no listener on the signal behind', async () => {
    const caller = new ScriptedCaller({ models: [] });
    let listeners = 0;
    const { signal } = caller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    await caller.run(processRequest());
    expect(listeners).toBe(0);
  });
});
