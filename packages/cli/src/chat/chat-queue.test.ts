import { setTimeout as sleep } from 'node:timers/promises';
import { Delivery } from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { ChatStage, CTRL_D } from '../testing/chat-stage.ts';
import type { Script } from '../testing/scripted-engine.ts';

const untilCancelled: Script = async (run) => {
  run.start();
  const { content } = run.request;
  if (content === 'wait') await new Promise((resolve) => run.cancelled.addEventListener('abort', resolve));
  if (run.cancelled.aborted) return run.settle({ outcome: 'aborted' });
  run.say(`you said `, content.toUpperCase());
  run.settle({ answer: content.toUpperCase() });
};

describe('messages entered during a run', () => {
  it('lets a line typed during a run join it, and /queue and Alt-Enter wait for its end', async () => {
    const step = Promise.withResolvers<void>();
    await using stage = await ChatStage.open(async (run) => {
      run.start();
      run.emit({
        type: 'message_end',
        role: 'user',
        input: run.request.messageId,
        text: run.request.content,
      });
      if (run.request.content === 'begin') await step.promise;
      const joined = run.join().map(({ content }) => content);
      run.say(`did ${[run.request.content, ...joined].join(' and ')}`);
      run.settle({ answer: 'x' });
    });
    const { environment, exit } = stage.chat();
    await environment.until('session-1');
    environment.stdin.write('begin\r');
    await sleep(100);
    environment.stdin.write('also this\r');
    await environment.until('(waits to join the run: also this)');
    environment.stdin.write('/queue later\r');
    await environment.until('(waits for its turn: later)');
    environment.stdin.write('at last\x1b\r');
    await environment.until('(waits for its turn: at last)');
    step.resolve();
    await environment.until('you: also this\ndid begin and also this\n');
    await environment.until('you: later\ndid later\n');
    await environment.until('you: at last\ndid at last\n');
    environment.stdin.write('/quit\r');
    expect(await exit).toBe(0);
    const { STEER, UNSPECIFIED } = Delivery;
    expect(stage.engine.received.map(({ delivery }) => delivery)).toEqual([
      STEER,
      STEER,
      UNSPECIFIED,
      UNSPECIFIED,
    ]);
    expect(environment.out()).not.toContain('joined the run before');
  });

  it('cancels the run for /now', async () => {
    await using stage = await ChatStage.open(untilCancelled);
    const { environment, exit } = stage.chat();
    await environment.until('session-1');
    environment.stdin.write('wait\r');
    await sleep(100);
    environment.stdin.write('/now do this\r');
    await environment.until('cancelled\n');
    await environment.until('you said DO THIS');
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
    expect(stage.engine.received[1]).toMatchObject({ content: 'do this', delivery: Delivery.INTERRUPT });
  });

  it('shows what is typed during a run, and the answer above it', async () => {
    const more = Promise.withResolvers<void>();
    await using stage = await ChatStage.open(async (run) => {
      run.start();
      await sleep(100);
      run.emit({ type: 'message_start', role: 'assistant' }, { type: 'text_delta', text: 'first' });
      await more.promise;
      run.emit({ type: 'text_delta', text: ' line\nsecond' });
      await sleep(50);
      run.emit({ type: 'message_end', role: 'assistant', text: 'first line\nsecond', stopReason: 'stop' });
      run.settle({ answer: 'x' });
    });
    const { environment, exit } = stage.chat();
    await environment.until('session-1');
    environment.stdin.write('go\r');
    await environment.until('first');
    const before = environment.out().length;
    environment.stdin.write('dra');
    await environment.until('first\n');
    more.resolve();
    await environment.until('second\n');
    environment.stdin.write('ft\r');
    await sleep(100);
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
    const drawn = environment.out().slice(before);
    expect(drawn).toMatch(/^\n[^\n]*> d[^\n]*ra[^\n]* line\n[^\n]*> dra[^\n]*second\n[^\n]*> dra/);
    expect(stage.engine.received[1]?.content).toBe('draft');
  });

  it('shows two chats of one session the same', async () => {
    const step = Promise.withResolvers<void>();
    await using stage = await ChatStage.open(async (run) => {
      run.start();
      run.emit({
        type: 'message_end',
        role: 'user',
        input: run.request.messageId,
        text: run.request.content,
      });
      await step.promise;
      run.join();
      run.say('done');
      run.settle({ answer: 'done' });
    });
    const one = stage.chat();
    await one.environment.until('session session-1');
    const two = stage.chat('--session', 'session-1');
    await two.environment.until('session session-1');
    one.environment.stdin.write('begin\r');
    await two.environment.until('you, elsewhere: begin\n');
    two.environment.stdin.write('me too\r');
    await two.environment.until('(waits to join the run: me too)');
    await one.environment.until('(waits to join the run: (a message from elsewhere))');
    step.resolve();
    await one.environment.until('you, elsewhere: me too\ndone\n');
    await two.environment.until('you: me too\ndone\n');
    for (const { environment } of [one, two]) environment.stdin.write(CTRL_D);
    expect(await Promise.all([one.exit, two.exit])).toEqual([0, 0]);
  });
});
