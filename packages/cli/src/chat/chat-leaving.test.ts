import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ChatStage, CTRL_D } from '../testing/chat-stage.ts';
import type { Script } from '../testing/scripted-engine.ts';

const GOES_ON = 'the run in session session-1 goes on without you\n';

/** Runs until it is cancelled, without output. */
const silent: Script = async (run) => {
  run.start();
  run.emit({ type: 'turn_start', round: 1, model: 'p/slow' });
  await new Promise((resolve) => run.cancelled.addEventListener('abort', resolve));
  run.settle({ outcome: 'aborted' });
};

async function atWork(): Promise<{ stage: ChatStage } & ReturnType<ChatStage['chat']>> {
  const stage = await ChatStage.open(silent);
  const chat = stage.chat();
  await chat.environment.until('session session-1');
  chat.environment.stdin.write('begin\r');
  await expect.poll(() => stage.engine.received.length).toBe(1);
  await sleep(60);
  return { stage, ...chat };
}

describe('a chat while its run goes on', () => {
  it.each([
    ['/quit\r', 'go on with: bulkhead chat --session session-1\n'],
    [CTRL_D, 'go on with: bulkhead chat --session session-1\n'],
  ])('says so to who leaves with %j', async (typed, hint) => {
    const { stage, environment, exit } = await atWork();
    await using _stage = stage;
    environment.stdin.write(typed);
    expect(await exit).toBe(0);
    expect(environment.out()).toContain(`${GOES_ON}${hint}`);
    expect(stage.engine.cancelled).toEqual([]);
  });

  it('says so to who turns to another session, and nothing to who leaves one at rest', async () => {
    const { stage, environment, exit } = await atWork();
    await using _stage = stage;
    environment.stdin.write('/new\r');
    await environment.until('session session-2');
    expect(environment.out()).toContain(GOES_ON);
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
    expect(environment.out()).not.toContain('session session-2 goes on');
  });

  it('says what it waits for, also in a second terminal', async () => {
    const { stage, environment, exit } = await atWork();
    await using _stage = stage;
    const second = stage.chat('--session', 'session-1');
    await environment.until('… waiting for p/slow, 2 s (Ctrl-C cancels)\n');
    await second.environment.until('… waiting for the run that goes on, 2 s (Ctrl-C cancels)\n');
    for (const { stdin } of [environment, second.environment]) stdin.write(CTRL_D);
    expect(await Promise.all([exit, second.exit])).toEqual([0, 0]);
  });

  it('says that the engine is away, and that it is back', async () => {
    const { stage, environment, exit } = await atWork();
    await using _stage = stage;
    await stage.engine.crash();
    await environment.until('… connection lost, retrying\n');
    await stage.engine.listen();
    await environment.until('… reconnected\n');
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
  });

  it('says which model answers, if it is another one when the engine is back', async () => {
    const { stage, environment, exit } = await atWork();
    await using _stage = stage;
    await stage.engine.crash();
    await environment.until('… connection lost, retrying\n');
    stage.engine.model = 'p/another';
    await stage.engine.listen();
    await environment.until('the model is now p/another\n');
    environment.stdin.write('/model\r');
    await environment.until('model: p/another\n');
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
  });

  it('takes back the last message that waits, and never one that runs', async () => {
    const { stage, environment, exit } = await atWork();
    await using _stage = stage;
    environment.stdin.write('/unqueue\r');
    await environment.until('nothing of yours waits\n');
    for (const text of ['one', 'two']) {
      environment.stdin.write(`/queue ${text}\r`);
      await environment.until(`(waits for its turn: ${text})`);
    }
    environment.stdin.write('/unqueue\r');
    await environment.until('taken back: two\n');
    const [, , two] = stage.engine.received;
    expect(stage.engine.cancelled).toMatchObject([{ sessionId: 'session-1', messageId: two?.messageId }]);
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
  });

  it('opens a session by the beginning of its id', async () => {
    const { stage, environment, exit } = await atWork();
    await using _stage = stage;
    stage.engine.addSession('01ABCDEFGH', [{ type: 'message_end', role: 'user', text: 'long ago' }]);
    stage.engine.addSession('01ABCDEFGX', []);
    environment.stdin.write('/session 01ABCDEFG\r');
    await environment.until(
      '2 sessions could be 01ABCDEFG: 01ABCDEFGH, 01ABCDEFGX. Give the last characters of the id: its beginning is a time.',
    );
    environment.stdin.write('/session 01ABCDEFGH\r');
    await environment.until('long ago');
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
    expect(environment.out()).toContain('--session 01ABCDEFGH\n');
  });
});
