import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { type Script, ScriptedEngine } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

const HASH = 'ab'.repeat(32);

const hello: Script = async (run) => {
  run.start();
  run.say('Hello');
  run.settle({ answer: 'Hello' });
};

describe('run, otherwise than usual', () => {
  let home: ReturnType<typeof testHome>;
  let folder: string;
  let engine: ScriptedEngine;

  beforeEach(() => {
    home = testHome();
    folder = mkdtempSync(join(tmpdir(), 'bulkhead-run-'));
  });

  afterEach(async () => {
    await engine.close();
    home[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  async function serve(script: Script): Promise<ScriptedEngine> {
    engine = new ScriptedEngine(home.layout, script);
    await engine.listen();
    return engine;
  }

  async function call(...argv: string[]) {
    const environment = testEnvironment(home.layout, { cwd: folder });
    const code = await dispatch(['run', ...argv], environment);
    return { code, out: environment.out(), err: environment.err() };
  }

  it('opens a session off the record with --otr and says what that means, once', async () => {
    const { created } = await serve(hello);
    expect(await call('--otr', 'x')).toEqual({
      code: 0,
      out: 'Hello\n',
      err: 'off the record: tools can only read, no message is written to disk, and the session ends with the engine\n',
    });
    await call('x');
    expect(created.map(({ offTheRecord }) => offTheRecord)).toEqual([true, false]);
  });

  it('refuses to go on off the record in a session that is on it, and the other way', async () => {
    const { received } = await serve(hello);
    engine.addSession('normal', []);
    engine.addSession('quiet', [], true);
    expect(await call('--otr', '--session', 'normal', 'x')).toMatchObject({
      code: 2,
      err: expect.stringContaining('session normal is on the record: --otr is for new sessions'),
    });
    expect(await call('--session', 'quiet', 'x')).toEqual({
      code: 2,
      out: '',
      err: 'bulkhead: session quiet is off the record. Add --otr.\n',
    });
    expect(await call('--otr', '--session', 'gone', 'x')).toMatchObject({ code: 1 });
    expect(received).toEqual([]);
    expect((await call('--otr', '--session', 'quiet', 'x')).code).toBe(0);
    expect((await call('--session', 'normal', 'x')).code).toBe(0);
  });

  it('asks for a dry run and shows what would be done', async () => {
    const { received } = await serve(async (run) => {
      run.start();
      run.emit(
        { type: 'tool_call', call: 'c', tool: 'write', arguments: { path: 'a.txt' } },
        {
          type: 'action_completed',
          action: 'a',
          call: 'c',
          hash: HASH,
          success: true,
          summary: '',
          dryRun: true,
        },
        { type: 'tool_output', call: 'c', tool: 'write', text: 'would make a.txt\n+ hello', isError: false },
      );
      run.say('Nothing was done.');
      run.settle({ answer: 'Nothing was done.' });
    });
    expect(await call('--dry-run', 'x')).toEqual({
      code: 0,
      out: 'Nothing was done.\n',
      err: [
        'dry run: changes are described but not made',
        '▸ write a.txt',
        '○ write (dry run, not done)',
        '  would make a.txt',
        '  + hello',
        '',
      ].join('\n'),
    });
    await call('x');
    expect(received.map(({ options }) => options?.dryRun)).toEqual([true, false]);
  });

  it('sends images by what they are, and refuses others before an engine is asked', async () => {
    const { received, created } = await serve(hello);
    const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');
    writeFileSync(join(folder, 'a.jpg'), png);
    writeFileSync(join(folder, 'b.png'), 'GIF89a');
    expect((await call('--image', 'a.jpg', '--image', `${folder}/b.png`, 'what is this?')).code).toBe(0);
    const [message] = received;
    expect(message?.images.map(({ mediaType }) => mediaType)).toEqual(['image/png', 'image/gif']);
    expect(Buffer.from(message?.images[0]?.data ?? [])).toEqual(png);
    writeFileSync(join(folder, 'c.png'), 'text');
    expect(await call('--image', 'c.png', 'x')).toMatchObject({
      code: 2,
      err: expect.stringContaining('c.png is not an image that models accept'),
    });
    expect([created.length, received.length]).toEqual([1, 1]);
  });

  it('tells of retries on standard error, and exits 4 when they were in vain [I1]', async () => {
    const retry = {
      type: 'retry_start',
      maxAttempts: 3,
      code: 'overloaded',
      message: 'too busy',
      model: 'a/b',
    } as const;
    await serve(async (run) => {
      run.start();
      run.emit({ ...retry, attempt: 1, delayMs: 2_000 }, { type: 'retry_end', attempt: 1, success: false });
      run.settle({ outcome: 'failed', error: { code: 'overloaded', message: 'too busy' } });
    });
    expect(await call('x')).toEqual({
      code: 4,
      out: '',
      err: '… the model failed (overloaded): too busy. Trying again in 2.0 s (retry 1 of 3, a/b)\nbulkhead: failed: too busy\n',
    });
  });

  it('exits 5 at the spend limit [I1]', async () => {
    await serve(async (run) => {
      run.start();
      run.settle({ outcome: 'limit', error: { code: 'spend_limit', message: 'today cost $5.01 of $5.00' } });
    });
    expect(await call('x')).toEqual({
      code: 5,
      out: '',
      err: 'bulkhead: stopped: today cost $5.01 of $5.00\ncontinue with: bulkhead run --session session-1 "go on"\n',
    });
  });

  it('cancels its own message alone, also while it waits for another run', async () => {
    const other = Promise.withResolvers<void>();
    const { cancelled } = await serve(async (run) => {
      run.start();
      await other.promise;
      run.settle({ answer: '' });
    });
    engine.addSession('shared', []);
    const first = testEnvironment(home.layout);
    const firstExit = dispatch(['run', '--session', 'shared', 'first'], first);
    await sleep(150);
    const terminal = ['stderr'] as const;
    const second = testEnvironment(home.layout, { terminal });
    const secondExit = dispatch(['run', '--session', 'shared', 'second'], second);
    await second.until('… waiting for the session, which works on another message, 2 s');
    second.interrupt();
    expect(await secondExit).toBe(130);
    other.resolve();
    expect(await firstExit).toBe(0);
    expect(cancelled).toMatchObject([{ sessionId: 'shared', messageId: engine.received[1]?.messageId }]);
  });
});
