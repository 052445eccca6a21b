import { ApprovalAnswer, ApprovalMode } from '@bulkhead/protocol/client';
import type { Script, ScriptedReply } from '@bulkhead/testkit';
import { sweepOf } from '@bulkhead/testkit/sweep';
import { describe, expect, it } from 'vitest';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType } from './support/event-lines.ts';
import { OFFLINE_TITLES } from './support/stage.ts';
import { Delivery, Talk } from './support/talk.ts';
import { until } from './support/until.ts';
import { useSharedStage } from './support/use-stage.ts';
import { bash, waitingCommand } from './support/waiting-command.ts';

const stage = useSharedStage();

const TIMEOUT_MS = 270_000;
const HALF: ScriptedReply = { text: ['half ', 'an answer'], stall: { afterChunks: 3 } };
const SILENT: ScriptedReply = { stall: 'before-first-byte' };
const BUSY: ScriptedReply = { error: { status: 503, message: 'overloaded' } };
const TOO_LONG: ScriptedReply = {
  error: { status: 400, code: 'context_length_exceeded', message: 'the context is too long' },
};

/** Ends the engine in order and returns when one runs again. */
const ends = {
  'SIGTERM to the supervisor': async () => await bySignal('supervisor'),
  'SIGTERM to the engine': async () => await bySignal('engine'),
  stop: async () => {
    const { code, stdout } = await stage().cli(['stop']);
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'stopped']);
    await stage().cli(['start', '--daemon']);
  },
  restart: async () => {
    const { code, stderr } = await stage().cli(['restart']);
    expect([code, stderr]).toEqual([0, '']);
  },
} as const;

type End = keyof typeof ends;

async function bySignal(whose: 'supervisor' | 'engine'): Promise<void> {
  const status = await stage().status();
  process.kill(status[whose], 'SIGTERM');
  await until('the supervisor has ended', () => !isAlive(status.supervisor));
  await stage().cli(['start', '--daemon']);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Every orderly end leaves each message once and completed, all events in order. */
async function expectSound(talk: Talk, ...messages: readonly string[]): Promise<void> {
  for (const message of messages) await talk.settledWithin(message, 60_000);
  const events = await talk.idleAfter();
  const settled = ofType(events, 'settled');
  expect(settled.map(({ message }) => message).toSorted()).toEqual([...messages].toSorted());
  for (const { outcome } of settled) expect(['completed', 'merged']).toContain(outcome);
  expect(grammarProblems(events, { replayed: true })).toEqual([]);
  expect(JSON.stringify(events)).not.toMatch(/"(cancel|aborted|aborting|cancelled)"/);
}

/** Something that is under way when the engine ends. */
interface Scene {
  /** `npm test` tries the first of them; together these are all kinds of ends. */
  readonly ends: readonly [End, End];
  script(): Script;
  readonly config?: { readonly retry?: string; readonly config?: string };
  /** Sends messages, and returns when what is to be cut off is under way. */
  begin(talk: Talk): Promise<readonly string[]>;
  /** Steps for the next engine. */
  goOn?(talk: Talk): Promise<void>;
  check?(): void;
}

const scenes: Readonly<Record<string, Scene>> = {
  'waits for the first byte of a model': {
    ends: ['SIGTERM to the supervisor', 'restart'],
    script: () => [SILENT, { text: 'done' }],
    begin: async (talk) => {
      await talk.send('a');
      await talk.event('turn_start');
      return ['a'];
    },
  },
  'reads an answer': {
    ends: ['stop', 'SIGTERM to the engine'],
    script: () => [HALF, { text: 'done' }],
    begin: async (talk) => {
      await talk.send('a');
      await talk.event('text_delta');
      return ['a'];
    },
  },
  'runs a long command': {
    ends: ['restart', 'SIGTERM to the supervisor'],
    script: () => [{ toolCalls: [waitingCommand] }, { text: 'done' }],
    begin: async (talk) => {
      await talk.send('a', { options: { approve: ApprovalMode.ALLOW } });
      await talk.event('tool_delta', ({ text }) => text.includes('begun'));
      return ['a'];
    },
    goOn: async () => stage().write('go', ''),
    check: () => expect(stage().read('runs.log')).toBe('ran\n'),
  },
  'runs a short command': {
    ends: ['stop', 'restart'],
    script: () => [{ toolCalls: [bash('sleep 0.7; echo ran >> runs.log')] }, { text: 'done' }],
    begin: async (talk) => {
      await talk.send('a', { options: { approve: ApprovalMode.ALLOW } });
      await talk.event('action_started');
      return ['a'];
    },
    check: () => expect(stage().read('runs.log')).toBe('ran\n'),
  },
  'waits for a person': {
    ends: ['SIGTERM to the engine', 'stop'],
    script: () => [
      { toolCalls: [{ name: 'write', args: { path: 'runs.log', content: 'ran\n' } }] },
      { text: 'done' },
    ],
    config: { config: 'policy: strict' },
    begin: async (talk) => {
      await talk.send('a', { options: { approve: ApprovalMode.ASK } });
      await talk.event('approval_requested');
      return ['a'];
    },
    goOn: async (talk) => {
      const [first] = ofType(talk.events, 'approval_requested');
      await talk.answer(ApprovalAnswer.ALLOW_ONCE, first?.seq);
    },
    check: () => expect(stage().read('runs.log')).toBe('ran\n'),
  },
  'waits before another attempt': {
    ends: ['restart', 'SIGTERM to the supervisor'],
    script: () => [BUSY, { text: 'done' }],
    config: { retry: '{ baseDelaySeconds: 60, maxDelaySeconds: 60, maxRetries: 1 }' },
    begin: async (talk) => {
      await talk.send('a');
      await talk.event('retry_start');
      return ['a'];
    },
  },
  'has three messages in line and a steer': {
    ends: ['stop', 'SIGTERM to the engine'],
    script: () => firstThen({ toolCalls: [waitingCommand] }, { text: 'done' }),
    begin: async (talk) => {
      await talk.send('a', { options: { approve: ApprovalMode.ALLOW, maxRounds: 0 } });
      await talk.event('action_started');
      for (const id of ['b', 'c', 'd']) await talk.send(id);
      await talk.send('steer', { delivery: Delivery.STEER });
      return ['a', 'b', 'c', 'd', 'steer'];
    },
    goOn: async () => stage().write('go', ''),
    check: () => expect(stage().read('runs.log')).toBe('ran\n'),
  },
  'makes its conversation shorter': {
    ends: ['restart', 'SIGTERM to the supervisor'],
    script: compacting,
    begin: async (talk) => {
      await talk.send('fill');
      await talk.settled('fill');
      await talk.send('a');
      await talk.event('state_change', ({ to }) => to === 'compacting');
      return ['fill', 'a'];
    },
  },
};

/** Replies in this order, the last of them to all further requests. */
function firstThen(...replies: readonly [ScriptedReply, ...ScriptedReply[]] | ScriptedReply[]): Script {
  let asked = 0;
  return () => {
    const reply = replies[Math.min(asked, replies.length - 1)];
    asked += 1;
    return reply ?? SILENT;
  };
}

/** The conversation is too long until it has a summary; the first request for one stays open. */
function compacting(): Script {
  let summaries = 0;
  return ({ bodyText }) => {
    if (bodyText.includes('Write the summary')) {
      summaries += 1;
      return summaries === 1 ? SILENT : { text: '## Goal\n- go on\n## Next\n- answer' };
    }
    if (bodyText.includes('Which durable facts')) return { text: 'FACT: none' };
    if (bodyText.includes('Previous conversation summary')) return { text: 'done' };
    return bodyText.includes('at length') ? TOO_LONG : { text: 'at length '.repeat(2_000) };
  };
}

const cases = Object.entries(scenes).flatMap(([what, scene]) =>
  scene.ends.slice(0, sweepOf(1, 2)).map((end) => [what, end, scene] as const),
);

describe('a message whose engine is ended in order', () => {
  it.each(cases)(
    'while it %s: completes once after %s [P8, T8]',
    { timeout: TIMEOUT_MS },
    async (_what, end, scene) => {
      await stage().model(scene.script(), { models: OFFLINE_TITLES, ...scene.config });
      await using talk = await Talk.begin(stage());
      const messages = await scene.begin(talk);
      await ends[end]();
      await scene.goOn?.(talk);
      await expectSound(talk, ...messages);
      scene.check?.();
    },
  );

  it('survives one restart after another, which use up nothing [P8, T8]', { timeout: 720_000 }, async () => {
    const restarts = sweepOf(2, 10);
    const replies = [...Array<ScriptedReply>(restarts + 1).fill(SILENT), { text: 'done' }];
    const server = await stage().model(firstThen(...replies), { models: OFFLINE_TITLES });
    await using talk = await Talk.begin(stage());
    await talk.send('a');
    for (let time = 1; time <= restarts; time += 1) {
      await until('the model is asked', () => server.requests.length >= time);
      using client = await stage().client();
      const { enginePid } = await client.call('status', {});
      expect((await client.call('stop', { restart: true })).unfinished).toBe(1);
      await until('another engine', async () => (await enginePidOf()) !== enginePid);
    }
    await until('the model is asked again', () => server.requests.length > restarts);
    await stage().cli(['restart']);
    await expectSound(talk, 'a');
  });

  it('is reported by stop, and by status once it continues [P8]', { timeout: TIMEOUT_MS }, async () => {
    await stage().model([SILENT, SILENT], { models: OFFLINE_TITLES });
    await using talk = await Talk.begin(stage());
    await talk.send('a');
    await talk.event('turn_start');
    const { stdout } = await stage().cli(['stop']);
    expect(stdout).toBe('stopped\n1 message is not finished; it continues at the next start.\n');
    await stage().cli(['start', '--daemon']);
    expect((await stage().cli(['status'])).stdout).toContain(
      '1 message continues that was not finished when the engine last ended',
    );
  });

  it('with many sessions at slow commands: stops in order, long before they end [P8]', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const sessions = sweepOf(8, 20);
    await stage().model(
      ({ bodyText }) =>
        bodyText.includes('"role":"tool"') ? { text: 'done' } : { toolCalls: [bash('sleep 600')] },
      { models: OFFLINE_TITLES },
    );
    await stage().cli(['start', '--daemon']);
    using client = await stage().client();
    for (let at = 0; at < sessions; at += 1) {
      const { sessionId } = await client.call('createSession', { workingFolder: stage().folder });
      const options = {
        approve: ApprovalMode.ALLOW,
        dryRun: false,
        maxRounds: 0,
        model: '',
        clientTools: [],
      };
      await client.call('sendMessage', { sessionId, messageId: `m${at}`, content: 'go', options });
    }
    await until('all are at work', async () => (await client.call('status', {})).activeRuns === sessions);
    const begun = performance.now();
    const { stdout } = await stage().cli(['stop']);
    // The supervisor kills an engine that takes longer than P8 gives it: such an end counts nothing.
    expect(stdout).toContain(`${sessions} messages are not finished; they continue at the next start.`);
    process.stdout.write(`${sessions} sessions stopped in ${Math.round(performance.now() - begun)} ms\n`);
  });
});

async function enginePidOf(): Promise<number | undefined> {
  try {
    using client = await stage().client();
    return (await client.call('status', {})).enginePid;
  } catch {
    return undefined;
  }
}
