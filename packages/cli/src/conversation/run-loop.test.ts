import { setTimeout as sleep } from 'node:timers/promises';
import type { EventBody } from '@bulkhead/protocol';
import { ApprovalAnswer, ApprovalMode } from '@bulkhead/protocol/client';
import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { type Script, ScriptedEngine } from '../testing/scripted-engine.ts';
import { type TestEnvironment, testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

const CTRL_C = '\x03';
const CTRL_D = '\x04';
const QUESTION = 'y once · n no · d details · i WORDS · ? help, then Enter › ';

const question: EventBody = {
  type: 'approval_requested',
  approval: 'ap1',
  action: 'a1',
  hash: 'ff',
  tool: 'bash',
  shown: 'curl x',
  reason: 'it reaches out',
  expires: '2026-01-01T00:05:00.000Z',
};

const echo: Script = async (run) => {
  const { content } = run.request;
  run.start();
  if (content === 'wait') {
    await new Promise((resolve) => run.cancelled.addEventListener('abort', resolve));
    return run.settle({ outcome: 'aborted' });
  }
  if (content === 'ask') {
    run.emit(question);
    const answer = await run.approval();
    const decision = answer === ApprovalAnswer.ALLOW_ONCE ? 'allow' : 'deny';
    run.emit({ type: 'approval_decided', approval: 'ap1', action: 'a1', hash: 'ff', decision, by: 'person' });
  }
  run.say(`you said ${content.toUpperCase()}`);
  run.settle({ answer: `you said ${content.toUpperCase()}` });
};

/** A home with a scripted engine, and chats on their own terminals. */
class ChatStage implements AsyncDisposable {
  readonly home = testHome();
  readonly engine: ScriptedEngine;

  private constructor(script: Script) {
    this.engine = new ScriptedEngine(this.home.layout, script);
  }

  /** @param answers calls with these answers */
  static async open(script: Script, answers: ScriptedEngine['answers'] = {}): Promise<ChatStage> {
    const stage = new ChatStage(script);
    stage.engine.answers = answers;
    await stage.engine.listen();
    return stage;
  }

  chat(...argv: string[]): { environment: TestEnvironment; exit: Promise<number> } {
    const environment = testEnvironment(this.home.layout, { terminal: ['stdin', 'stdout', 'stderr'] });
    return { environment, exit: dispatch(['chat', ...argv], environment) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.engine.close();
    this.home[Symbol.dispose]();
  }
}

/** A loop on a terminal, at its first prompt. */
async function atPrompt(argv: readonly string[] = [], script = echo, answers = {}) {
  const stage = await ChatStage.open(script, answers);
  const chat = stage.chat(...argv);
  await chat.environment.until('session session-1');
  const leave = async () => {
    // The prompt comes after the end of a run.
    await sleep(100);
    chat.environment.stdin.write(CTRL_D);
    return await chat.exit;
  };
  return { stage, ...chat, leave };
}

describe('the chat without a screen', () => {
  it('answers each line in one session, asks as run does, and says how to go on', async () => {
    const { stage, environment, leave } = await atPrompt();
    await using _stage = stage;
    for (const word of ['hello', 'again']) {
      environment.stdin.write(`${word}\r`);
      await environment.until(`you said ${word.toUpperCase()}\n`);
      await sleep(100);
    }
    expect(await leave()).toBe(0);
    expect(environment.out()).toBe('you said HELLO\nyou said AGAIN\n');
    expect(environment.err()).toContain('continue with: bulkhead chat --session session-1\n');
    expect(stage.engine.created).toHaveLength(1);
    expect(stage.engine.received).toMatchObject([
      { sessionId: 'session-1', options: { approve: ApprovalMode.ASK } },
      { sessionId: 'session-1' },
    ]);
  });

  it('sends a pasted text of several lines as one message', async () => {
    const { stage, environment, leave } = await atPrompt();
    await using _stage = stage;
    environment.stdin.write('one\rtwo\r/three\r');
    await environment.until('/THREE\n');
    expect(await leave()).toBe(0);
    expect(stage.engine.received.map(({ content }) => content)).toEqual(['one\ntwo\n/three']);
  });

  it('cancels the run with Ctrl-C and stays; a second one leaves', async () => {
    const { stage, environment, exit } = await atPrompt();
    await using _stage = stage;
    environment.stdin.write('wait\r');
    await expect.poll(() => stage.engine.received.length).toBe(1);
    await sleep(50);
    environment.interrupt();
    await environment.until('cancelled\n');
    await sleep(100);
    environment.stdin.write('draft');
    environment.stdin.write(CTRL_C);
    await sleep(50);
    environment.stdin.write(CTRL_C);
    await environment.until('Ctrl-D leaves.\n');
    environment.stdin.write('hello\r');
    await environment.until('you said HELLO\n');
    expect(stage.engine.received.map(({ content }) => content)).toEqual(['wait', 'hello']);
    await sleep(100);
    environment.stdin.write('wait\r');
    await expect.poll(() => stage.engine.received.length).toBe(3);
    environment.interrupt();
    environment.interrupt();
    expect(await exit).toBe(130);
  });

  it('ends with an interrupt between two runs', async () => {
    const { stage, environment, exit } = await atPrompt();
    await using _stage = stage;
    environment.interrupt();
    expect(await exit).toBe(130);
  });

  it('asks for approvals on the terminal [A6]', async () => {
    const { stage, environment, leave } = await atPrompt();
    await using _stage = stage;
    environment.stdin.write('ask\r');
    await environment.until(QUESTION);
    environment.stdin.write('y\r');
    await environment.until('you said ASK\n');
    expect(await leave()).toBe(0);
    expect(stage.engine.decisions).toMatchObject([
      { approvalId: 'ap1', actionHash: 'ff', answer: ApprovalAnswer.ALLOW_ONCE },
    ]);
  });

  it('survives a refused message and a crash of the engine', async () => {
    const { stage, environment, leave } = await atPrompt([], echo, {
      sendMessage: () => {
        throw new ConnectError('it is \x1b]0;x\x07 too long', Code.InvalidArgument);
      },
    });
    await using _stage = stage;
    environment.stdin.write('hello\r');
    await environment.until('it is \\x1b]0;x too long');
    stage.engine.answers = {};
    await stage.engine.crash();
    await stage.engine.listen();
    await sleep(100);
    environment.stdin.write('again\r');
    await environment.until('you said AGAIN\n');
    expect(await leave()).toBe(0);
  });

  it('sends the text of a template, and no line that is meant as a command [SK3]', async () => {
    const { stage, environment, leave } = await atPrompt([], echo, {
      expandTemplate: ({ name, arguments: given }: { name: string; arguments: string }) => {
        if (name !== 'fix-it') throw new ConnectError('there is no template', Code.NotFound);
        return { text: `Fix ${given}\nnow` };
      },
    });
    await using _stage = stage;
    environment.stdin.write('/fix-it the door\r');
    await environment.until('you said FIX THE DOOR\nNOW\n');
    await sleep(100);
    environment.stdin.write('/undo\r');
    await environment.until('not sent: /undo: there is no such template; commands need the screen');
    environment.stdin.write('/etc/hosts is a file\r');
    await environment.until('you said /ETC/HOSTS');
    expect(await leave()).toBe(0);
    expect(stage.engine.received.map(({ content }) => content)).toEqual([
      'Fix the door\nnow',
      '/etc/hosts is a file',
    ]);
    expect(environment.err()).toContain('(sent: Fix the door');
  });

  it('reports retries and tool calls, made harmless', async () => {
    const { stage, environment, leave } = await atPrompt([], async (run) => {
      run.start();
      run.emit(
        { type: 'session_compact', entry: 'e' },
        { type: 'tool_call', call: 'c', tool: 'edit', arguments: { path: 'a\x1b]0;x\x07.txt' } },
        { type: 'tool_output', call: 'c', tool: 'edit', text: 'ok\x1b[2J', isError: false },
      );
      run.say('done\x1b[2J');
      run.settle({ answer: 'done' });
    });
    await using _stage = stage;
    environment.stdin.write('edit\r');
    await environment.until('done\\x1b[2J\n');
    expect(await leave()).toBe(0);
    expect(environment.err()).toContain('… conversation compacted: its beginning is now a summary\n');
    expect(environment.err()).toContain('▸ edit a\\x1b]0;x.txt\n');
    for (const part of ['\x1b]', '\x1b[2J']) {
      expect(environment.out() + environment.err()).not.toContain(part);
    }
  });

  it('says once that it is off the record or a dry run, and keeps to it', async () => {
    const { stage, environment, leave } = await atPrompt(['--otr', '--dry-run', '--model', 'offline/x']);
    await using _stage = stage;
    environment.stdin.write('hi\r');
    await environment.until('you said HI\n');
    expect(await leave()).toBe(0);
    expect(environment.err().split('off the record: tools can only read')).toHaveLength(2);
    expect(environment.err().split('dry run: ')).toHaveLength(2);
    expect(environment.err()).toContain('continue with: bulkhead chat --otr --session session-1\n');
    expect(stage.engine.created).toMatchObject([{ offTheRecord: true }]);
    expect(stage.engine.received).toMatchObject([{ options: { dryRun: true, model: 'offline/x' } }]);
  });

  it('goes on with a session of its own kind alone, by a part of its id', async () => {
    await using stage = await ChatStage.open(echo);
    stage.engine.addSession('01ABCDEFGH', []);
    stage.engine.addSession('quiet', [], true);
    for (const argv of [
      ['--session', 'quiet'],
      ['--otr', '--session', '01ABCDEFGH'],
    ]) {
      const { environment, exit } = stage.chat(...argv);
      expect(await exit).toBe(2);
      expect(environment.err()).toMatch(/bulkhead: session \w+ is o\w+ the record/);
    }
    expect(await stage.chat('--model', 'nonsense').exit).toBe(2);
    const { environment, exit } = stage.chat('--session', '01ABCDEF');
    await environment.until('note: this session works in /, not in the folder you are in\n');
    await environment.until('session 01ABCDEFGH');
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
  });

  it('takes messages from a pipe, a line each, and waits for the answers', async () => {
    await using stage = await ChatStage.open(echo);
    const environment = testEnvironment(stage.home.layout);
    environment.stdin.end('one\n\ntwo\n');
    expect(await dispatch(['chat'], environment)).toBe(0);
    expect([environment.out(), environment.err()]).toEqual(['you said ONE\nyou said TWO\n', '']);
    expect(stage.engine.received[0]?.options?.approve).toBe(ApprovalMode.DENY);
  });
});
