import type { Script, ScriptedReply } from '@bulkhead/testkit';
import { describe, expect, it } from 'vitest';
import { openAiDoor } from './support/openai-door.ts';
import { OFFLINE_TITLES } from './support/stage.ts';
import { Talk } from './support/talk.ts';
import { until } from './support/until.ts';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

const TIMEOUT_MS = 270_000;
const SILENT: ScriptedReply = { stall: 'before-first-byte' };
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const SILENT_FOR_EVER: Script = () => SILENT;

describe('clients of an engine that is ended in order', () => {
  it('run waits over a restart and prints the answer [P8]', { timeout: TIMEOUT_MS }, async () => {
    const server = await stage().model([SILENT, { text: 'the answer' }], { models: OFFLINE_TITLES });
    await stage().cli(['start', '--daemon']);
    const run = stage().start(['run', 'hello'], { timeoutMs: 60_000 });
    await until('the model is asked', () => server.requests.length === 1);
    await stage().cli(['restart']);
    const { code, stdout } = await run.done();
    expect([code, stdout]).toEqual([0, 'the answer\n']);
  });

  it('run that is sent while the engine drains waits for the next one [P8]', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const server = await stage().model(
      ({ bodyText }) => (bodyText.includes('second') ? { text: 'the answer' } : SILENT),
      { models: OFFLINE_TITLES },
    );
    await using talk = await Talk.begin(stage());
    await talk.send('first');
    await until('the model is asked', () => server.requests.length === 1);
    using client = await stage().client();
    const stopping = client.call('stop', { restart: true });
    const run = stage().start(['run', 'second'], { timeoutMs: 60_000 });
    await stopping;
    const { code, stdout } = await run.done();
    expect([code, stdout]).toEqual([0, 'the answer\n']);
  });

  it('run whose engine is stopped permanently says that its message continues later [P8]', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const server = await stage().model([SILENT], { models: OFFLINE_TITLES });
    await stage().cli(['start', '--daemon']);
    const run = stage().start(['run', 'hello'], { timeoutMs: 60_000 });
    await until('the model is asked', () => server.requests.length === 1);
    await stage().cli(['stop']);
    const { code, stdout, stderr } = await run.done();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('is not lost, but not finished: it continues at the next start');
  });

  it('a stop while a restart drains ends the engine permanently [P8]', { timeout: TIMEOUT_MS }, async () => {
    const server = await stage().model(SILENT_FOR_EVER, { models: OFFLINE_TITLES });
    await using talk = await Talk.begin(stage());
    await talk.send('a');
    await until('the model is asked', () => server.requests.length === 1);
    const { supervisor } = await stage().status();
    using client = await stage().client();
    const both = [client.call('stop', { restart: true }), client.call('stop', { restart: false })];
    expect((await Promise.all(both)).map(({ unfinished }) => unfinished)).toEqual([1, 1]);
    await until('the supervisor has ended', () => !isAlive(supervisor));
    expect((await stage().cli(['status'])).stdout).toContain('not running');
  });

  it('HTTP answers 503 with Retry-After while it drains; reading goes on [P8]', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const server = await stage().model(SILENT_FOR_EVER, { models: OFFLINE_TITLES });
    const door = await openAiDoor(stage());
    await using talk = await Talk.begin(stage());
    await talk.send('a');
    await until('the model is asked', () => server.requests.length === 1);
    const question = { model: 'bulkhead', messages: [{ role: 'user', content: 'hi' }] };
    const waiting = door.send('/v1/chat/completions', question);
    await until('the model is asked twice', () => server.requests.length === 2);
    using client = await stage().client();
    const stopping = client.call('stop', { restart: true });
    await until(
      'the engine drains',
      async () => (await door.send('/api/v1/sessions', { working_folder: stage().folder })).status === 503,
    );
    const sends = [
      await door.send('/v1/chat/completions', question),
      await door.send(`/api/v1/sessions/${talk.session}/messages`, { message_id: 'late', content: 'hi' }),
      await door.send('/api/v1/sessions', { working_folder: stage().folder }),
    ];
    for (const response of sends) {
      expect([response.url, response.status]).toEqual([response.url, 503]);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(JSON.stringify(await response.json())).toContain('the engine is stopping');
    }
    const read = await fetch(`${door.address}/api/v1/sessions`, {
      headers: { authorization: `Bearer ${door.owner}` },
    });
    expect(read.status).toBe(200);
    // Its message was accepted, so it continues: the client must not send it again automatically.
    const cut = await waiting;
    expect([cut.status, cut.headers.get('x-should-retry')]).toEqual([503, 'false']);
    expect((await stopping).unfinished).toBe(2);
  });
});
