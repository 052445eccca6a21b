import { busyness } from '@bulkhead/testkit/processor-time';
import { describe, expect, it } from 'vitest';
import { grammarProblems } from './support/event-grammar.ts';
import { settledOf } from './support/event-lines.ts';
import { commandLineOf, descendantsOf, isAlive, type ProcessEntry } from './support/process-table.ts';
import type { Stage } from './support/stage.ts';
import { until } from './support/until.ts';
import { useSharedStage } from './support/use-stage.ts';
import { historyProblems, sentMessages } from './support/wire-history.ts';

const stage = useSharedStage();

/** From Ctrl-C to the end of the command. */
const CANCEL_MS = 2_000;

/** Processes of shell commands: all below the engine but its agents and workers. */
async function commandProcesses(at: Stage): Promise<readonly ProcessEntry[]> {
  const { engine } = await at.status();
  return descendantsOf(engine).filter(({ pid }) => !commandLineOf(pid).some((word) => word.endsWith('.mjs')));
}

describe('Ctrl-C', () => {
  it('ends a long command with all of its processes; the session can be used on [T9]', async () => {
    const command = 'sleep 301 & (sleep 302 &); sleep 303';
    const server = await stage().model([
      {
        toolCalls: [
          { name: 'bash', args: { command } },
          { name: 'ls', args: {} },
        ],
      },
      { text: 'here again' },
    ]);
    const run = stage().start(['run', '--json', 'wait']);
    const { session } = await run.event('action_started', ({ tool }) => tool === 'bash');
    const processes = await until('three sleeping processes', async () => {
      const found = await commandProcesses(stage());
      return found.filter(({ pid }) => commandLineOf(pid)[0] === 'sleep').length === 3 && found;
    });
    const began = performance.now();
    run.signal('SIGINT');
    const { code, events } = await run.done();
    expect((performance.now() - began) / busyness()).toBeLessThan(CANCEL_MS);
    expect(code).toBe(130);
    expect(grammarProblems(events)).toEqual([]);
    expect(settledOf(events).outcome).toBe('aborted');
    await until('its processes are gone', () => !processes.some(isAlive), CANCEL_MS * busyness());

    const next = await stage().cli(['run', '--session', session, 'and now?']);
    expect(next).toMatchObject({ code: 0, stdout: 'here again\n' });
    const messages = sentMessages(server.requests[1] ?? noRequest());
    expect(historyProblems(messages)).toEqual([]);
    expect(messages.flatMap(({ calls }) => calls)).toHaveLength(2);
  });

  it.each([
    ['says nothing', 'before-first-byte'],
    ['stopped in its answer', { afterChunks: 2 }],
  ] as const)('leaves a model that %s; the session can be used on [T9]', async (_what, stall) => {
    const server = await stage().model([{ text: ['some', 'thing'], stall }, { text: 'here again' }]);
    const run = stage().start(['run', '--json', 'wait']);
    const { session } = await run.event('message_start', ({ role }) => role === 'assistant');
    await until('the request', () => server.requests.length === 1);
    const began = performance.now();
    run.signal('SIGINT');
    const { code, events } = await run.done();
    expect((performance.now() - began) / busyness()).toBeLessThan(CANCEL_MS);
    expect(code).toBe(130);
    expect(grammarProblems(events)).toEqual([]);
    expect(settledOf(events).outcome).toBe('aborted');
    expect(await server.requests[0]?.disconnected).toBe(true);

    const next = await stage().cli(['run', '--session', session, 'and now?']);
    expect(next).toMatchObject({ code: 0, stdout: 'here again\n' });
    const messages = sentMessages(server.requests[1] ?? noRequest());
    expect(historyProblems(messages)).toEqual([]);
    expect(messages.filter(({ role }) => role === 'user').map(({ text }) => text)).toEqual([
      'wait',
      'and now?',
    ]);
  });

  it('says so in one line, without an answer', async () => {
    const server = await stage().model([{ stall: 'before-first-byte' }]);
    const run = stage().start(['run', 'wait']);
    await until('the request', () => server.requests.length === 1);
    run.signal('SIGINT');
    expect(await run.done()).toMatchObject({ code: 130, stdout: '', errors: ['bulkhead: cancelled'] });
  });
});

function noRequest(): never {
  throw new Error('there was no such request');
}
