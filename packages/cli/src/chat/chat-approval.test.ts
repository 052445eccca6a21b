import { setTimeout as sleep } from 'node:timers/promises';
import type { EventBody } from '@bulkhead/protocol';
import { ApprovalAnswer } from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { ChatStage, CTRL_D } from '../testing/chat-stage.ts';
import type { Script } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';

const BACKSPACE = '\x7f';
/** Clears the screen after the cursor. */
const ERASE = '\x1b[0J';
const QUESTION = 'y once · n no · d details · ? help, then Enter › ';

const question = (approval: string): EventBody => ({
  type: 'approval_requested',
  approval,
  action: 'a1',
  hash: 'ff',
  tool: 'bash',
  shown: 'curl x',
  reason: 'it reaches out',
  expires: '2026-01-01T00:05:00.000Z',
});

const asking: Script = async (run) => {
  run.start();
  if (run.request.content !== 'begin') {
    run.say(`heard ${run.request.content}`);
    return run.settle({ answer: 'x' });
  }
  run.emit(question('ap1'));
  const answer = await run.approval();
  const decision = answer === ApprovalAnswer.ALLOW_ONCE ? 'allow' : 'deny';
  run.emit({ type: 'approval_decided', approval: 'ap1', action: 'a1', hash: 'ff', decision, by: 'person' });
  const joined = run.join().map(({ content }) => content);
  run.say(['decided', ...joined].join(' and '));
  run.settle({ answer: 'x' });
};

/** A chat with an open question. */
async function atQuestion(script = asking) {
  const stage = await ChatStage.open(script);
  const chat = stage.chat();
  await chat.environment.until('session session-1');
  chat.environment.stdin.write('begin\r');
  await chat.environment.until(QUESTION);
  return { stage, ...chat };
}

describe('a question of an approval', () => {
  it('is put in a second terminal too, where a typed y answers it', async () => {
    const first = await atQuestion();
    await using stage = first.stage;
    const second = stage.chat('--session', 'session-1');
    await second.environment.until(QUESTION);
    expect(second.environment.out()).toContain(
      '? bash needs your approval\n  curl x\n  why: it reaches out\n',
    );
    second.environment.stdin.write('y\r');
    await second.environment.until('decided\n');
    await first.environment.until('decided\n');
    expect(stage.engine.received.map(({ content }) => content)).toEqual(['begin']);
    expect(stage.engine.decisions).toMatchObject([
      { approvalId: 'ap1', actionHash: 'ff', answer: ApprovalAnswer.ALLOW_ONCE },
    ]);
    for (const { environment } of [first, second]) environment.stdin.write(CTRL_D);
    expect(await Promise.all([first.exit, second.exit])).toEqual([0, 0]);
  });

  it('is still there when one comes back, and leaving does not answer it', async () => {
    const first = await atQuestion();
    await using stage = first.stage;
    first.environment.stdin.write(CTRL_D);
    expect(await first.exit).toBe(0);
    expect(stage.engine.decisions).toEqual([]);
    const second = stage.chat('--session', 'session-1');
    await second.environment.until(QUESTION);
    second.environment.stdin.write('\r');
    await second.environment.until('decided\n');
    expect(stage.engine.decisions).toMatchObject([{ answer: ApprovalAnswer.DENY }]);
    second.environment.stdin.write(CTRL_D);
    expect(await second.exit).toBe(0);
  });

  it('is put again after a look at another session, as is one that waits behind it', async () => {
    const both = Promise.withResolvers<void>();
    const { stage, environment, exit } = await atQuestion(async (run) => {
      run.start();
      run.emit(question('ap1'), question('ap2'));
      await both.promise;
      run.say('decided');
      run.settle({ answer: 'x' });
    });
    await using _stage = stage;
    environment.stdin.write('/new\r');
    await environment.until('session session-2');
    const before = environment.out().length;
    environment.stdin.write('/session session-1\r');
    await environment.until('session session-1 ·');
    await expect.poll(() => environment.out().slice(before)).toContain(QUESTION);
    environment.stdin.write('y\r');
    await expect.poll(() => environment.out().slice(before).split(QUESTION).length).toBeGreaterThan(2);
    environment.stdin.write('n\r');
    await expect.poll(() => stage.engine.decisions.length).toBe(2);
    both.resolve();
    await environment.until('decided\n');
    expect(stage.engine.decisions).toMatchObject([
      { approvalId: 'ap1', answer: ApprovalAnswer.ALLOW_ONCE },
      { approvalId: 'ap2', answer: ApprovalAnswer.DENY },
    ]);
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
  });

  it('keeps a line that is no answer as a draft, and asks again', async () => {
    const { stage, environment, exit } = await atQuestion();
    await using _stage = stage;
    environment.stdin.write('yes but use the proxy\r');
    await environment.until('What you typed is kept until then. Please say y or n.\n');
    expect(stage.engine.decisions).toEqual([]);
    environment.stdin.write('n\r');
    await environment.until('decided\n');
    environment.stdin.write('\r');
    await environment.until('heard yes but use the proxy\n');
    expect(stage.engine.decisions).toMatchObject([{ answer: ApprovalAnswer.DENY }]);
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
  });

  it.each(['k', 'yep'])('says that %s is no answer, and keeps nothing of it', async (typed) => {
    const { stage, environment, exit } = await atQuestion();
    await using _stage = stage;
    environment.stdin.write(`${typed}\r`);
    await environment.until(`"${typed}" is not an answer; nothing was sent. Please say y or n.\n`);
    environment.stdin.write('n\r');
    await environment.until('decided\n');
    environment.stdin.write('and now\r');
    await environment.until('heard and now\n');
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
  });

  it('takes nothing typed for it into the next message when it is answered elsewhere', async () => {
    const { stage, environment, exit } = await atQuestion();
    await using _stage = stage;
    environment.stdin.write('y');
    await sleep(50);
    const second = stage.chat('--session', 'session-1');
    await second.environment.until(QUESTION);
    second.environment.stdin.write('n\r');
    await environment.until('decided\n');
    environment.stdin.write('and now\r');
    await environment.until('heard and now\n');
    for (const one of [environment, second.environment]) one.stdin.write(CTRL_D);
    expect(await Promise.all([exit, second.exit])).toEqual([0, 0]);
  });

  it('obeys a command at once, sends a pasted text, and stays', async () => {
    const { stage, environment, exit } = await atQuestion();
    await using _stage = stage;
    environment.stdin.write('/model\r');
    await environment.until('model: offline/echo\n');
    environment.stdin.write('y\rand a second line\r');
    await environment.until('(waits to join the run: y …)');
    expect(stage.engine.decisions).toEqual([]);
    environment.stdin.write('y\r');
    await environment.until('decided and y\nand a second line\n');
    expect(stage.engine.decisions).toMatchObject([{ answer: ApprovalAnswer.ALLOW_ONCE }]);
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
  });

  it('stays on the screen whatever else happens in the session', async () => {
    const { stage, environment, exit } = await atQuestion();
    await using _stage = stage;
    const before = environment.out().length;
    environment.stdin.write('/queue later\r');
    await environment.until('(waits for its turn: later)');
    await sleep(50);
    expect(environment.out().slice(before).trimEnd()).toMatch(/\? help, then Enter ›[^\n]*$/);
    for (const key of ['x', BACKSPACE]) environment.stdin.write(key);
    await sleep(50);
    expect(environment.out().split(QUESTION).at(-1)).not.toContain(ERASE);
    environment.stdin.write('n\r');
    await environment.until('heard later\n');
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
  });
});

describe('a question while the chat is written to a pipe', () => {
  it('takes an answer too, and sends what is none', async () => {
    await using stage = await ChatStage.open(asking);
    const environment = testEnvironment(stage.home.layout, { terminal: ['stdin', 'stderr'] });
    const exit = dispatch(['chat'], environment);
    await environment.until('session session-1');
    environment.stdin.write('begin\n');
    await environment.until(QUESTION);
    environment.stdin.write('use the proxy\n');
    await environment.until('(waits to join the run: use the proxy)');
    environment.stdin.write('y\n');
    await environment.until('decided and use the proxy\n');
    expect(stage.engine.decisions).toMatchObject([{ answer: ApprovalAnswer.ALLOW_ONCE }]);
    environment.stdin.end();
    expect(await exit).toBe(0);
  });
});
