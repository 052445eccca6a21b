import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ChatStage, CTRL_D } from '../testing/chat-stage.ts';
import type { Script } from '../testing/scripted-engine.ts';

const CTRL_C = '\x03';
const idle: Script = async (run) => {
  run.start();
  run.say('the answer is there');
  run.settle({ answer: 'x' });
};

describe('a command of the chat that takes its time', () => {
  it('says so after two seconds; Ctrl-C ends the waiting and not the chat [M3]', async () => {
    await using stage = await ChatStage.open(idle, {
      searchMemory: async () => {
        await sleep(20_000, undefined, { ref: false });
        return { hits: [] };
      },
    });
    const { environment, exit } = stage.chat();
    await environment.until('session session-1');
    environment.stdin.write('/memory cabin\r');
    await environment.until('… reading changes, then searching, 2 s\n');
    environment.stdin.write(CTRL_C);
    await environment.until('not waited for any longer');
    expect(environment.out()).not.toContain('Ctrl-C again leaves.');
    environment.stdin.write('hello\r');
    await environment.until('the answer is there');
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
  });
});
