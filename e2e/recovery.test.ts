import { existsSync } from 'node:fs';
import { ApprovalAnswer, ApprovalMode } from '@bulkhead/protocol/client';
import type { ScriptedReply } from '@bulkhead/testkit';
import { describe, expect, it } from 'vitest';
import { auditSteps } from './support/audit-steps.ts';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType } from './support/event-lines.ts';
import { Talk } from './support/talk.ts';
import { until } from './support/until.ts';
import { useStage } from './support/use-stage.ts';
import { bash, waitingCommand } from './support/waiting-command.ts';
import { historyProblems, sentMessages } from './support/wire-history.ts';

const stage = useStage();

/** A first piece, and then nothing for as long as anybody waits. */
const HALF: ScriptedReply = { text: ['half ', 'an answer'], stall: { afterChunks: 3 } };

const begun = (talk: Talk) => talk.event('tool_delta', ({ text }) => text.includes('begun'));

async function question(talk: Talk, after = 0) {
  return await talk.event('approval_requested', ({ seq }) => seq > after);
}

describe('after kill -9 of the engine', () => {
  it('while the model streams, the answer is asked for again and the half of it is dropped [T8]', async () => {
    const server = await stage().model([HALF, { text: 'a whole answer' }, { text: 'good' }]);
    await using talk = await Talk.begin(stage());
    await talk.send('ask');
    await talk.event('text_delta');
    await stage().killEngine();
    const events = await talk.idleAfter('ask');
    expect(grammarProblems(events, { replayed: true })).toEqual([]);
    expect(ofType(events, 'run_resumed')).toMatchObject([
      { message: 'ask', executed: 0, notExecuted: 0, unknown: 0 },
    ]);
    expect(ofType(events, 'settled')).toMatchObject([{ answer: 'a whole answer', rounds: 2 }]);
    await talk.send('again');
    await talk.idleAfter('again');
    const history = sentMessages(server.requests.at(-1) ?? noRequest());
    expect(history.map(({ text }) => text)).toEqual(['ask', 'a whole answer', 'again']);
  });

  it('between two rounds, the run goes on behind the first; its tool is not used again [T8] [T6]', async () => {
    const server = await stage().model([
      { toolCalls: [bash('echo ran >> runs.log')] },
      { stall: 'before-first-byte' },
      { text: 'done' },
    ]);
    await using talk = await Talk.begin(stage());
    await talk.send('go');
    await until('the second request', () => server.requests.length === 2);
    await stage().killEngine();
    const events = await talk.idleAfter('go');
    expect(grammarProblems(events)).toEqual([]);
    expect(ofType(events, 'settled')).toMatchObject([{ outcome: 'completed', answer: 'done', rounds: 3 }]);
    expect(stage().read('runs.log')).toBe('ran\n');
    const history = sentMessages(server.requests.at(-1) ?? noRequest());
    expect(history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(historyProblems(history)).toEqual([]);
  });

  it('again and again, the run is given up and says so; the session can be used on [T8]', async () => {
    await stage().model(({ bodyText }) =>
      bodyText.includes('again') ? { text: 'well' } : { stall: 'before-first-byte' },
    );
    await using talk = await Talk.begin(stage());
    await talk.send('go');
    for (let round = 1; round <= 4; round += 1) {
      await talk.event('turn_start', (event) => event.round === round);
      await stage().killEngine();
    }
    expect(await talk.settled('go')).toMatchObject({ outcome: 'failed', error: { code: 'interrupted' } });
    await talk.send('again');
    const events = await talk.idleAfter('again');
    expect(grammarProblems(events)).toEqual([]);
    expect(talk.outcomes()).toEqual(['go failed', 'again completed']);
  });

  it('during a write, the file tells whether it was written: it is there once, whole [T8] [FT77]', async () => {
    const content = 'line of a file\n'.repeat(60_000);
    const server = await stage().model([
      { toolCalls: [{ name: 'write', args: { path: 'big.txt', content } }] },
      { text: 'written' },
      { text: 'written' },
    ]);
    await using talk = await Talk.begin(stage());
    const kill = await stage().engineKiller();
    await talk.send('go');
    await talk.event('shield_verdict');
    await kill();
    const events = await talk.idleAfter('go');
    expect(grammarProblems(events)).toEqual([]);
    expect(talk.outcomes()).toEqual(['go completed']);
    expect(stage().read('big.txt')).toBe(content);
    // Whenever the kill came, no outcome is unknown, and each call has one result.
    expect(ofType(events, 'run_resumed').map(({ unknown }) => unknown)).toEqual([0]);
    expect(ofType(events, 'tool_output')).toMatchObject([{ isError: false }]);
    expect(historyProblems(sentMessages(server.requests.at(-1) ?? noRequest()))).toEqual([]);
  });

  it('during a command, nothing of it was kept: it is run again, from a folder as it was [T8] [FT77] [FG5]', async () => {
    const server = await stage().model([{ toolCalls: [waitingCommand] }, { text: 'done' }]);
    await using talk = await Talk.begin(stage());
    await talk.send('go');
    const { seq } = await begun(talk);
    expect(existsSync(`${stage().folder}/runs.log`)).toBe(false);
    await stage().killEngine();
    await talk.event('tool_delta', (event) => event.seq > seq && event.text.includes('begun'));
    stage().write('go', '');
    const events = await talk.idleAfter('go');
    expect(grammarProblems(events)).toEqual([]);
    expect(ofType(events, 'run_resumed')).toMatchObject([{ executed: 0, notExecuted: 1, unknown: 0 }]);
    expect(ofType(events, 'action_completed')).toMatchObject([
      { success: false, fate: 'not_executed' },
      { success: true, effects: { kept: true, created: 1 } },
    ]);
    expect(ofType(events, 'approval_requested')).toEqual([]);
    expect(stage().read('runs.log')).toBe('ran\n');
    expect(historyProblems(sentMessages(server.requests.at(-1) ?? noRequest()))).toEqual([]);
    expect(auditSteps(stage(), talk.session).filter((step) => step === 'RECOVERED')).toHaveLength(1);
    expect(auditSteps(stage(), talk.session).filter((step) => step === 'STARTED')).toHaveLength(2);
  });

  it('while a person is asked, the question is void and asked anew; an approval of it takes effect once [P8] [A6] [FT77] [FT100]', async () => {
    await stage().model(
      [{ toolCalls: [{ name: 'write', args: { path: 'a.txt', content: 'b' } }] }, { text: 'done' }],
      { config: 'policy: strict' },
    );
    await using talk = await Talk.begin(stage());
    await talk.send('go', { options: { approve: ApprovalMode.ASK } });
    const old = await question(talk);
    await stage().killEngine();
    const fresh = await question(talk, old.seq);
    expect(fresh.approval).not.toBe(old.approval);
    expect(fresh.hash).toBe(old.hash);
    expect(await talk.decide(old, ApprovalAnswer.ALLOW_ONCE)).toBe(false);
    expect(existsSync(`${stage().folder}/a.txt`)).toBe(false);
    expect(await talk.decide(fresh, ApprovalAnswer.ALLOW_ONCE)).toBe(true);
    expect(await talk.decide(fresh, ApprovalAnswer.ALLOW_ONCE)).toBe(false);
    const events = await talk.idleAfter('go');
    expect(grammarProblems(events)).toEqual([]);
    expect(ofType(events, 'approval_decided').map(({ approval, by }) => [approval, by])).toEqual([
      [old.approval, 'restart'],
      [fresh.approval, 'person'],
    ]);
    expect(stage().read('a.txt')).toBe('b');
  });

  it('when its run was cancelled, the run does not go on [T8] [T9]', async () => {
    const server = await stage().model([{ toolCalls: [waitingCommand] }, { text: 'no' }]);
    await using talk = await Talk.begin(stage());
    const kill = await stage().engineKiller();
    await talk.send('go');
    await begun(talk);
    expect(await talk.cancel('go')).toBe(true);
    await kill();
    const events = await talk.idleAfter('go');
    expect(grammarProblems(events)).toEqual([]);
    expect(talk.outcomes()).toEqual(['go aborted']);
    expect(server.requests).toHaveLength(1);
    expect(ofType(events, 'action_completed')).toMatchObject([{ fate: 'not_executed' }]);
    expect(existsSync(`${stage().folder}/runs.log`)).toBe(false);
  });
});

function noRequest(): never {
  throw new Error('there was no such request');
}
