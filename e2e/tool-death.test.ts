import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType } from './support/event-lines.ts';
import { Talk } from './support/talk.ts';
import { useSharedStage } from './support/use-stage.ts';
import { bash } from './support/waiting-command.ts';
import { historyProblems, sentMessages } from './support/wire-history.ts';

const stage = useSharedStage();

const slowEnough = bash('echo ran >> runs.log; echo begun; sleep 0.2');

const begun = (talk: Talk) => talk.event('tool_delta', ({ text }) => text.includes('begun'));

async function onlyProcess(kind: string, { session }: Talk): Promise<number> {
  using client = await stage().client();
  const { processes } = await client.call('status', {});
  const [found, ...more] = processes.filter((one) => one.kind === kind && one.sessionId === session);
  if (found === undefined || more.length > 0) throw new Error(`not one ${kind}`);
  return found.pid;
}

describe('after kill -9 of an agent', () => {
  it.each<[string, (talk: Talk) => Promise<unknown>]>([
    ['at the start of a round', (talk) => talk.event('turn_start')],
    ['in the middle of an answer', (talk) => talk.event('text_delta')],
    ['at a call', (talk) => talk.event('tool_call')],
    ['at an action', (talk) => talk.event('action_started')],
    ['during a command', begun],
    ['at a result', (talk) => talk.event('tool_output')],
    ['at the end of a round', (talk) => talk.event('turn_end')],
  ])(
    '%s, another one goes on: each command is run once, each call answered once [P8] [FT77]',
    async (_when, moment) => {
      // The run cannot end before its agent is killed; until the call, it is slow enough for each moment.
      const killed = Promise.withResolvers<void>();
      const server = await stage().model(async ({ bodyText }) => {
        if (!bodyText.includes('"role":"tool"'))
          return { delayMs: 200, text: ['I ', 'will'], toolCalls: [slowEnough], chunkDelayMs: 50 };
        await killed.promise;
        return { text: ['all ', 'done'] };
      });
      await using talk = await Talk.begin(stage());
      await talk.send('go');
      await talk.event('turn_start');
      const agent = await onlyProcess('agent', talk);
      await moment(talk);
      process.kill(agent, 'SIGKILL');
      expect(talk.outcomes()).toEqual([]);
      killed.resolve();
      const events = await talk.idleAfter('go');
      expect(grammarProblems(events)).toEqual([]);
      expect(ofType(events, 'settled')).toMatchObject([{ outcome: 'completed', answer: 'all done' }]);
      expect(ofType(events, 'run_resumed')).toEqual([]);
      expect(stage().read('runs.log')).toBe('ran\n');
      expect(historyProblems(sentMessages(server.requests.at(-1) ?? noRequest()))).toEqual([]);
    },
  );
});

describe('after kill -9 of a tool', () => {
  it('the model receives the failure, with the output so far; the run goes on [FT78]', async () => {
    const command = bash("echo partial; echo begun; sh -c 'kill -9 $PPID'; sleep 600");
    await stage().model([{ toolCalls: [command] }, { text: 'I see' }]);
    await using talk = await Talk.begin(stage());
    await talk.send('go');
    const events = await talk.idleAfter('go');
    expect(grammarProblems(events)).toEqual([]);
    expect(ofType(events, 'tool_output')).toMatchObject([
      { isError: true, text: expect.stringContaining('partial') },
    ]);
    expect(talk.outcomes()).toEqual(['go completed']);
  });

  it('that does not listen to a polite end, a cancelled run ends all the same [FT78] [T9]', async () => {
    const command = bash("trap '' TERM INT HUP; echo begun; while :; do sleep 0.05; done");
    await stage().model([{ toolCalls: [command] }]);
    await using talk = await Talk.begin(stage());
    await talk.send('go');
    await begun(talk);
    const began = performance.now();
    expect(await talk.cancel('go')).toBe(true);
    await talk.idleAfter('go');
    process.stdout.write(`ended ${Math.round(performance.now() - began)} ms after it was cancelled\n`);
    expect(talk.outcomes()).toEqual(['go aborted']);
  });

  it('or of a worker that is at a file, the file is there once, whole, or the model knows [FT77] [FT78]', async () => {
    const content = 'line of a file\n'.repeat(60_000);
    await stage().model([
      { toolCalls: [{ name: 'read', args: { path: '.' } }] },
      { delayMs: 200, toolCalls: [{ name: 'write', args: { path: 'big.txt', content } }] },
      { text: 'done' },
    ]);
    await using talk = await Talk.begin(stage());
    await talk.send('go');
    await talk.event('tool_output', ({ tool }) => tool === 'read');
    const worker = await onlyProcess('worker', talk);
    await talk.event('action_started', ({ tool }) => tool === 'write');
    process.kill(worker, 'SIGKILL');
    const events = await talk.idleAfter('go');
    // A fate is reported here without a resumption: the worker ended, and no engine.
    const problems = grammarProblems(events).filter((problem) => !problem.endsWith('run_resumed is missing'));
    expect(problems).toEqual([]);
    expect(talk.outcomes()).toEqual(['go completed']);
    const [result] = ofType(events, 'tool_output').filter(({ tool }) => tool === 'write');
    if (existsSync(`${stage().folder}/big.txt`)) expect(stage().read('big.txt')).toBe(content);
    else expect(result?.isError).toBe(true);
  });
});

function noRequest(): never {
  throw new Error('there was no such request');
}
