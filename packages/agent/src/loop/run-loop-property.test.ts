import { RequestNote, RunEnd } from '@bulkhead/protocol/agent';
import { type Message, StopReason } from '@bulkhead/protocol/chat';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answer, answered, type Outcome, processRequest, type ScriptPart } from '../testing/messages.ts';
import { type Script, ScriptedCaller } from '../testing/scripted-caller.ts';
import type { LoopEvent } from './loop-event.ts';

const stopReason = fc.constantFrom(
  StopReason.STOP,
  StopReason.TOOL_CALLS,
  StopReason.LENGTH,
  StopReason.OTHER,
  StopReason.UNSPECIFIED,
  StopReason.CONTENT_FILTER,
  StopReason.ERROR,
);

const call = fc.record({
  name: fc.constantFrom('read', 'ls', 'write', 'load_tools', 'unknown'),
  json: fc.constantFrom('{}', '{"groups":["git"]}', '{"path":'),
});

/** An answer; its ids are numbered, so they are unique within it. */
const parts = fc
  .array(fc.oneof(fc.string(), call), { maxLength: 6 })
  .map((list): ScriptPart[] =>
    list.map((part, at) => (typeof part === 'string' ? part : { id: `c${at}`, ...part })),
  );

/** Mostly complete answers; sometimes a failure, no room, or nothing. */
const model: fc.Arbitrary<Outcome> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.tuple(parts, stopReason).map(([list, reason]) => answered(answer(...list), reason)),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Outcome>(
      { case: 'failed', value: { code: 'overloaded', message: 'busy' } },
      { case: 'contextFull', value: {} },
      { case: undefined },
    ),
  },
);

const maxRounds = 5;
const scripts = fc.record({
  models: fc.array(model, { maxLength: 9 }),
  terminating: fc.boolean(),
  /** Number of ticks for each result in order. */
  delays: fc.array(fc.nat(4), { minLength: 1, maxLength: 8 }),
  /** Number of messages a person sends before each result, in a cycle. */
  said: fc.array(fc.constantFrom(0, 0, 0, 1, 2), { minLength: 1, maxLength: 5 }),
});

function callerOf({
  models,
  terminating,
  delays,
  said,
}: typeof scripts extends fc.Arbitrary<infer S> ? S : never) {
  let at = 0;
  let results = 0;
  const script: Script = {
    models,
    steers: () => {
      results += 1;
      const count = said[results % said.length] ?? 0;
      return Array.from({ length: count }, (_, one) => `steer ${results}.${one}`);
    },
    terminate: () => terminating,
    result: async () => {
      const ticks = delays[at % delays.length] ?? 0;
      at += 1;
      for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
      return 'ok';
    },
  };
  return new ScriptedCaller(script);
}

function ends(events: readonly LoopEvent[]): number {
  return events.filter(({ type }) => type === 'complete' || type === 'error').length;
}

/** Calls requested after one model request, in order of asking. */
function askedPerRound(events: readonly LoopEvent[]): string[][] {
  const rounds: string[][] = [];
  for (const event of events) {
    if (event.type === 'model_request') rounds.push([]);
    if (event.type === 'tool_call') rounds.at(-1)?.push(event.call.callId);
  }
  return rounds;
}

function checkRequests(caller: ScriptedCaller): void {
  const { requests } = caller;
  expect(requests.length).toBeLessThanOrEqual(maxRounds + 2);
  for (const { messages } of requests) {
    for (const [at, { role }] of messages.entries()) {
      if (role.case !== 'assistant') continue;
      const calls = role.value.parts.flatMap(({ part }) =>
        part.case === 'toolCall' ? [part.value.callId] : [],
      );
      const results = messages.slice(at + 1, at + 1 + calls.length);
      expect(results.map(({ role: result }) => result.case === 'tool' && result.value.callId)).toEqual(calls);
    }
  }
  for (const [at, later] of requests.entries()) {
    const earlier = requests[at - 1];
    if (earlier === undefined) continue;
    // A note is shown once; later requests omit it.
    const kept = earlier.note === RequestNote.UNSPECIFIED ? earlier.messages : earlier.messages.slice(0, -1);
    expect(later.messages.slice(0, kept.length)).toEqual(kept);
  }
}

function steersIn(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role }) =>
    role.case === 'user' && role.value.text.startsWith('steer ') ? [role.value.text] : [],
  );
}

describe('runLoop, whatever the model answers', () => {
  it('puts all that a person said to the model before a run is complete, once and in order [L8]', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async (script) => {
        const caller = callerOf(script);
        const end = await caller.run(processRequest({ maxRounds }));
        const last = caller.requests.at(-1)?.messages ?? [];
        const said = caller.said.map(({ message }) => message?.text ?? '');
        const isAnswered = end.type === 'complete' && end.end !== RunEnd.CONTEXT_FULL;
        expect(steersIn(last)).toEqual(isAnswered ? said : said.slice(0, steersIn(last).length));
      }),
      { numRuns: 400 },
    );
  });

  it('ends once, within its rounds, each call asked for once and answered in order [L1] [L4] [L6]', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async (script) => {
        const caller = callerOf(script);
        await caller.run(processRequest({ maxRounds }));
        expect(ends(caller.events)).toBe(1);
        checkRequests(caller);
        for (const asked of askedPerRound(caller.events)) expect(new Set(asked).size).toBe(asked.length);
      }),
      { numRuns: 400 },
    );
  });

  it('ends once and at once when it is cancelled, whenever that is [T9] [L6]', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, fc.nat(60), async (script, ticks) => {
        const caller = callerOf(script);
        const running = caller.run(processRequest({ maxRounds }));
        for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
        const before = ends(caller.events);
        const asked = caller.events.length;
        caller.abort.abort();
        const end = await running;
        expect(ends(caller.events)).toBe(1);
        if (before === 0) {
          expect(caller.events.length).toBeLessThanOrEqual(asked + 1);
          expect(end.type === 'complete' ? end.thoughts.every(({ summary }) => summary !== '') : true).toBe(
            true,
          );
        }
        await new Promise(setImmediate);
        expect(ends(caller.events.slice(-1))).toBe(1);
      }),
      { numRuns: 400 },
    );
  });
});
