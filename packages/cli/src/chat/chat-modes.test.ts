import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ChatStage, CTRL_D } from '../testing/chat-stage.ts';
import type { Script } from '../testing/scripted-engine.ts';

const RETRY = {
  type: 'retry_start',
  attempt: 1,
  maxAttempts: 3,
  delayMs: 1_500,
  code: 'overloaded',
  message: 'too busy',
  model: 'a/b',
} as const;

const echo: Script = async (run) => {
  run.start();
  run.say(`you said `, run.request.content.toUpperCase());
  run.settle({ answer: 'x' });
};

describe('what a chat tells and does beside talking', () => {
  it('tells of retries, resumed runs, shorter conversations and titles, made harmless', async () => {
    await using stage = await ChatStage.open(async (run) => {
      run.start();
      run.emit(
        { type: 'run_resumed', message: run.request.messageId, executed: 1, notExecuted: 0, unknown: 0 },
        { type: 'state_change', from: 'idle', to: 'thinking' },
        { ...RETRY, message: 'too busy \x1b]0;x\x07' },
        { type: 'retry_end', attempt: 1, success: true },
        { type: 'session_before_compact', reason: 'overflow', messages: 9 },
        { type: 'session_compact', entry: 'e' },
      );
      run.say('done');
      run.settle({ answer: 'done' });
      run.session.emit({ type: 'session_title', title: 'a\x1b]0;y\x07 title' }, '');
    });
    const { environment, exit } = stage.chat();
    await environment.until('session-1');
    environment.stdin.write('go\r');
    await environment.until('title: a\\x1b]0;y title\n');
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
    expect(environment.out()).toContain(
      [
        '… the engine was stopped during this run, which continues now (actions left open: 1 done)',
        '… the model failed (overloaded): too busy \\x1b]0;x. Trying again in 1.5 s (retry 1 of 3, a/b)',
        '… the model answers again',
        '… compacting the conversation (9 messages)',
        '… conversation compacted: its beginning is now a summary',
        'done\n',
      ].join('\n'),
    );
    for (const part of ['\x1b]', 'state_change', 'idle']) expect(environment.out()).not.toContain(part);
  });

  it('sends every message to the model that was given, and refuses what is none', async () => {
    await using stage = await ChatStage.open(echo);
    const { environment, exit } = stage.chat('--model', 'offline/echo');
    await environment.until('session session-1 · offline/echo');
    environment.stdin.write('go\r');
    await environment.until('you said GO\n');
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
    expect(stage.engine.received).toMatchObject([{ options: { model: 'offline/echo' } }]);
    expect(await stage.chat('--model', 'nonsense').exit).toBe(2);
  });

  it('forks, names and accounts for its session', async () => {
    const asked: unknown[] = [];
    const saw =
      <T>(answer: T) =>
      (request: object) => {
        asked.push(request);
        return answer;
      };
    const answers = {
      forkSession: saw({ sessionId: 'forked' }),
      setTitle: saw({}),
      readUsage: saw({
        rows: [{ calls: 2, failed: 1, inputTokens: 1_500n, outputTokens: 20n, cost: 0.25, unpriced: 1 }],
      }),
    };
    await using stage = await ChatStage.open(echo, answers);
    stage.engine.addSession('forked', [
      { type: 'message_end', role: 'user', text: 'shared words' },
      { type: 'idle' },
    ]);
    const { environment, exit } = stage.chat();
    await environment.until('session session-2');
    environment.stdin.write('/title a better name\r');
    await sleep(60);
    environment.stdin.write('/cost\r');
    await environment.until(
      'this session: 2 calls (1 failed), 1,500 tokens in, 20 out, $0.2500 + unknown price: 1 call\n',
    );
    environment.stdin.write('/fork e7\r');
    await environment.until('session forked');
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
    expect(environment.out()).toContain('shared words');
    expect(asked).toMatchObject([
      { sessionId: 'session-2', title: 'a better name' },
      { sessionId: 'session-2' },
      { sessionId: 'session-2', entryId: 'e7' },
    ]);
  });

  it('says once that it is off the record or a dry run, and keeps to it', async () => {
    await using stage = await ChatStage.open(echo);
    stage.engine.addSession('normal', []);
    const { environment, exit } = stage.chat('--otr', '--dry-run');
    await environment.until('session session-2');
    environment.stdin.write('hi\r');
    await environment.until('you said HI\n');
    environment.stdin.write('/session normal\r');
    await environment.until('session normal is on the record');
    environment.stdin.write('/new\r');
    await environment.until('session session-3');
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
    expect(environment.err().split('\n')).toMatchObject([
      expect.stringMatching(/^off the record: tools can only read/),
      expect.stringMatching(/^dry run: /),
      '',
    ]);
    expect(stage.engine.created).toMatchObject([{ offTheRecord: true }, { offTheRecord: true }]);
    expect(stage.engine.received).toMatchObject([{ options: { dryRun: true } }]);
    expect(environment.out()).toContain('go on with: bulkhead chat --otr --session session-3\n');
  });

  it('refuses to mix what is on the record with what is off it', async () => {
    await using stage = await ChatStage.open(echo);
    stage.engine.addSession('normal', []);
    stage.engine.addSession('quiet', [], true);
    for (const argv of [
      ['--session', 'quiet'],
      ['--otr', '--session', 'normal'],
    ]) {
      const { environment, exit } = stage.chat(...argv);
      expect(await exit).toBe(2);
      expect(environment.err()).toMatch(/bulkhead: session \w+ is o\w+ the record/);
    }
  });
});
