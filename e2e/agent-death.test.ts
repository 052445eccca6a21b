import type { ScriptedReply } from '@bulkhead/testkit';
import { describe, expect, it } from 'vitest';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType, settledOf } from './support/event-lines.ts';
import { pidsOf } from './support/running-status.ts';
import type { Stage } from './support/stage.ts';
import { until } from './support/until.ts';
import { useSharedStage } from './support/use-stage.ts';
import { historyProblems, sentMessages } from './support/wire-history.ts';

const stage = useSharedStage();

const bash = (command: string) => ({ name: 'bash', args: { command } });

/** A command that prints a line when it has started, and ends when the file `go` exists. */
const WAITING =
  'echo ran >> runs.log; echo begun; until ls | grep -qx go; do sleep 0.02; done; echo finished';

/** Ends the session's agent as the kernel would, and answers its pid. */
async function killAgent(at: Stage, session: string): Promise<number> {
  const [pid] = pidsOf(await at.status(), 'agent', session);
  if (pid === undefined) throw new Error('the session has no agent');
  process.kill(pid, 'SIGKILL');
  return pid;
}

describe('an agent that is killed', () => {
  it('while a tool runs: another one goes on with its result, nothing is executed twice [P8]', async () => {
    const server = await stage().model([{ toolCalls: [bash(WAITING)] }, { text: 'all done' }]);
    const run = stage().start(['run', '--json', 'go']);
    const { session } = await run.event('tool_delta', ({ text }) => text.includes('begun'));
    const killed = await killAgent(stage(), session);
    const successor = await until('another agent', async () => {
      const pids = pidsOf(await stage().status(), 'agent', session);
      return pids.every((pid) => pid !== killed);
    });
    expect(successor).toBe(true);
    stage().write('go', '');
    const { code, events } = await run.done();
    expect(code).toBe(0);
    expect(grammarProblems(events)).toEqual([]);
    expect(settledOf(events)).toMatchObject({ outcome: 'completed', answer: 'all done', rounds: 2 });
    expect(stage().read('runs.log')).toBe('ran\n');
    expect(server.requests).toHaveLength(2);
    const messages = server.requests.flatMap(sentMessages).flatMap((message) => message.results);
    expect(messages.map(({ text }) => text)).toEqual([expect.stringContaining('finished')]);
  });

  it('while the model streams: the answer is asked for again, what was streamed is dropped [P8]', async () => {
    const started: ScriptedReply = { text: ['half ', 'an ', 'answer'], stall: { afterChunks: 3 } };
    const server = await stage().model([started, { text: 'a whole answer' }, { text: 'good' }]);
    const run = stage().start(['run', '--json', 'go']);
    const { session } = await run.event('text_delta');
    await killAgent(stage(), session);
    const { code, events } = await run.done();
    expect(code).toBe(0);
    expect(grammarProblems(events)).toEqual([]);
    expect(settledOf(events)).toMatchObject({ outcome: 'completed', answer: 'a whole answer', rounds: 2 });
    expect(await server.requests[0]?.disconnected).toBe(true);
    expect(server.requests).toHaveLength(2);

    await stage().cli(['run', '--session', session, 'again']);
    const history = sentMessages(server.requests.at(-1) ?? fail());
    expect(history.map(({ text }) => text)).toEqual(['go', 'a whole answer', 'again']);
  });

  it('between rounds, when some calls of a batch have results: only the others are made [P8, L4]', async () => {
    const batch = [
      bash('echo first >> runs.log'),
      bash(`${WAITING.replace('ran', 'second')}`),
      bash('echo third >> runs.log'),
    ];
    const server = await stage().model([{ toolCalls: batch }, { text: 'all done' }]);
    const run = stage().start(['run', '--json', 'go']);
    const { session } = await run.event('tool_delta', ({ text }) => text.includes('begun'));
    await killAgent(stage(), session);
    stage().write('go', '');
    const { code, events } = await run.done();
    expect(code).toBe(0);
    expect(grammarProblems(events)).toEqual([]);
    expect(stage().read('runs.log')).toBe('first\nsecond\nthird\n');
    expect(ofType(events, 'action_started')).toHaveLength(3);
    expect(historyProblems(sentMessages(server.requests[1] ?? fail()))).toEqual([]);
  });

  it('again and again: its session fails, another goes on, and the session can be used again [P8]', async () => {
    const server = await stage().model(({ bodyText }) => {
      if (bodyText.includes('doomed') && !bodyText.includes('once more'))
        return { stall: 'before-first-byte' };
      return bodyText.includes('"tool"') || bodyText.includes('once more')
        ? { text: 'fine' }
        : { toolCalls: [bash(WAITING)] };
    });
    const other = stage().start(['run', '--json', 'the other']);
    await other.event('tool_delta', ({ text }) => text.includes('begun'));
    const doomed = stage().start(['run', '--json', 'doomed']);
    const { session } = await doomed.event('turn_start');
    for (let round = 1; round <= 6; round += 1) {
      await doomed.event('turn_start', (event) => event.round === round);
      await killAgent(stage(), session);
    }
    const { code, events } = await doomed.done();
    expect(code).toBe(1);
    expect(grammarProblems(events)).toEqual([]);
    expect(settledOf(events)).toMatchObject({ outcome: 'failed', error: { code: 'agent_failed' } });

    stage().write('go', '');
    const lucky = await other.done();
    expect(lucky.code).toBe(0);
    expect(grammarProblems(lucky.events)).toEqual([]);
    const again = await stage().cli(['run', '--session', session, 'once more']);
    expect(again).toMatchObject({ code: 0, stdout: 'fine\n' });
    expect(historyProblems(sentMessages(server.requests.at(-1) ?? fail()))).toEqual([]);
  });
});

it('a worker that is killed is replaced for the next call [P8]', async () => {
  stage().write('a.txt', 'alpha\n');
  const read = { name: 'read', args: { path: 'a.txt' } };
  await stage().model([
    { toolCalls: [read] },
    { toolCalls: [bash(WAITING)] },
    { toolCalls: [read] },
    { text: 'ok' },
  ]);
  const run = stage().start(['run', '--json', 'go']);
  const { session } = await run.event('tool_delta', ({ text }) => text.includes('begun'));
  const [worker] = pidsOf(await stage().status(), 'worker', session);
  if (worker === undefined) throw new Error('the session has no worker');
  process.kill(worker, 'SIGKILL');
  stage().write('go', '');
  const { code, events } = await run.done();
  expect(code).toBe(0);
  expect(grammarProblems(events)).toEqual([]);
  const reads = ofType(events, 'tool_output').filter(({ tool }) => tool === 'read');
  expect(reads.map(({ isError }) => isError)).toEqual([false, false]);
});

function fail(): never {
  throw new Error('there was no such request');
}
