import { setTimeout as sleep } from 'node:timers/promises';
import { ApprovalMode } from '@bulkhead/protocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { type Script, ScriptedEngine } from '../testing/scripted-engine.ts';
import { type TestEnvironment, testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

const CTRL_C = '\x03';
const CTRL_D = '\x04';

const echo: Script = async (run) => {
  run.start();
  const { content } = run.request;
  run.emit({ type: 'message_end', role: 'user', text: content });
  if (content === 'wait') await new Promise((resolve) => run.cancelled.addEventListener('abort', resolve));
  if (content === 'slow') await sleep(300);
  if (run.cancelled.aborted) {
    run.settle({ outcome: 'aborted' });
    return;
  }
  run.emit({ type: 'thinking_delta', text: 'deep thoughts' });
  run.say(`you said `, content.toUpperCase());
  run.settle({ answer: content.toUpperCase() });
};

describe('chat', () => {
  let home: ReturnType<typeof testHome>;
  let engine: ScriptedEngine;

  beforeEach(() => {
    home = testHome();
  });

  afterEach(async () => {
    await engine.close();
    home[Symbol.dispose]();
  });

  async function serve(script: Script): Promise<void> {
    engine = new ScriptedEngine(home.layout, script);
    await engine.listen();
  }

  function open(...argv: string[]): { environment: TestEnvironment; exit: Promise<number> } {
    const environment = testEnvironment(home.layout, { terminal: ['stdin', 'stdout', 'stderr'] });
    return { environment, exit: dispatch(['chat', ...argv], environment) };
  }

  it('answers, shows its session and how to go on', async () => {
    await serve(echo);
    const { environment, exit } = open();
    await environment.until('session session-1');
    environment.stdin.write('hello\r');
    await environment.until('you said HELLO\n');
    environment.stdin.write('/quit\r');
    expect([await exit, environment.err()]).toEqual([0, '']);
    expect(environment.out()).toContain('thinking\n');
    expect(environment.out()).not.toContain('deep thoughts');
    expect(environment.out()).toContain('go on with: bulkhead chat --session session-1\n');
    expect(engine.received[0]?.options?.approve).toBe(ApprovalMode.ASK);
  });

  it('sends a pasted text of several lines as one message', async () => {
    await serve(echo);
    const { environment, exit } = open();
    await environment.until('session-1');
    environment.stdin.write('one\rtwo\r/three\r');
    await environment.until('/THREE');
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
    expect(engine.received.map(({ content }) => content)).toEqual(['one\ntwo\n/three']);
  });

  it('cancels the run with Ctrl-C and leaves with two at an empty prompt', async () => {
    await serve(echo);
    const { environment, exit } = open();
    await environment.until('session-1');
    environment.stdin.write('wait\r');
    await sleep(150);
    environment.stdin.write(CTRL_C);
    await environment.until('cancelled\n');
    environment.stdin.write('draft');
    await sleep(50);
    environment.stdin.write(CTRL_C);
    await sleep(50);
    environment.stdin.write(CTRL_C);
    await environment.until('Ctrl-C again leaves.');
    environment.stdin.write(CTRL_C);
    expect(await exit).toBe(0);
    expect(engine.received.map(({ content }) => content)).toEqual(['wait']);
  });

  it('asks for approvals, keeping what was being typed', async () => {
    await serve(async (run) => {
      run.start();
      await sleep(150);
      run.emit({
        type: 'approval_requested',
        approval: 'ap1',
        action: 'a1',
        hash: 'ff',
        tool: 'bash',
        shown: 'curl x',
        reason: 'it reaches out',
        expires: '2026-01-01T00:05:00.000Z',
      });
      await run.approval();
      run.say(`after ${run.request.content}`);
      run.settle({ answer: 'x' });
    });
    const { environment, exit } = open();
    await environment.until('session-1');
    environment.stdin.write('go\r');
    await sleep(60);
    environment.stdin.write('y');
    await environment.until('y once');
    environment.stdin.write('n\r');
    await environment.until('after go');
    environment.stdin.write('es\r');
    await environment.until('after yes');
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
    expect(engine.decisions).toMatchObject([{ approvalId: 'ap1', actionHash: 'ff', answer: 1 }]);
  });

  it('obeys its commands and survives their failures', async () => {
    await serve(echo);
    engine.addSession('old', [
      { type: 'message_end', role: 'user', text: 'an old question' },
      { type: 'message_end', role: 'assistant', text: 'an old answer' },
      { type: 'idle' },
    ]);
    const { environment, exit } = open();
    const say = async (text: string, answer: string) => {
      environment.stdin.write(`${text}\r`);
      await environment.until(answer);
      await sleep(30);
    };
    await environment.until('session session-2');
    await say('/help', '/sessions');
    await say('/session nope', 'there is no session nope');
    await say('/session old', 'an old answer');
    await environment.until('session old');
    await say('/model openai/x', 'model: openai/x');
    await say('/sessions', '* old');
    await say('/frob', 'unknown command /frob');
    await say('/thinking', 'thinking is shown');
    await say('hey', 'you said HEY');
    await say('/new', 'session session-3');
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
    expect(environment.out()).toContain('deep thoughts');
    expect(engine.received).toMatchObject([{ sessionId: 'old', options: { model: 'openai/x' } }]);
  });

  it('goes on after a crash of the engine', async () => {
    await serve(echo);
    const { environment, exit } = open();
    await environment.until('session-1');
    await engine.crash();
    await environment.until('connection lost');
    await engine.listen();
    environment.stdin.write('again\r');
    await environment.until('you said AGAIN');
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
  });

  it('shows diffs of edits, and what tools return made harmless', async () => {
    await serve(async (run) => {
      run.start();
      run.emit(
        { type: 'tool_call', call: 'c', tool: 'edit', arguments: { path: 'a\x1b]0;x\x07.txt' } },
        {
          type: 'tool_output',
          call: 'c',
          tool: 'edit',
          text: 'ok',
          display: '@@ -1 +1 @@\n-old\n+new\x1b[2J\n',
          isError: false,
        },
      );
      run.say('done');
      run.settle({ answer: 'done' });
    });
    const { environment, exit } = open();
    await environment.until('session-1');
    environment.stdin.write('edit\r');
    await environment.until('done\n');
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
    expect(environment.out()).toContain(
      '▸ edit a\\x1b]0;x.txt\n✓ edit ok\n  @@ -1 +1 @@\n  -old\n  +new\\x1b[2J\n',
    );
  });

  it('takes messages from a pipe, a line each, and waits for the answers', async () => {
    await serve(echo);
    const environment = testEnvironment(home.layout);
    environment.stdin.end('one\nslow\n');
    expect(await dispatch(['chat'], environment)).toBe(0);
    expect(environment.out()).toContain('you said ONE\n');
    expect(environment.out()).toContain('you said SLOW\n');
    expect(engine.received[0]?.options?.approve).toBe(ApprovalMode.DENY);
  });
});
