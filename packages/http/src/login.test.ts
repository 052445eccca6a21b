import { afterEach, describe, expect, it } from 'vitest';
import { DoorStage } from './testing/door-stage.ts';

let stage: DoorStage | undefined;
afterEach(async () => {
  await stage?.[Symbol.asyncDispose]();
  stage = undefined;
});

const service = { status: () => ({ version: 'v' }) };

async function open(...args: Parameters<typeof DoorStage.open>): Promise<DoorStage> {
  stage = await DoorStage.open(...args);
  return stage;
}

describe('a login', () => {
  it('trades a code for a cookie that scripts and other sites never see, and ends with a logout [I5]', async () => {
    const door = await open(service);
    door.access.codes.add('once');
    const headers = { origin: `http://${door.host}`, 'content-type': 'application/json' };
    const logIn = () => door.ask('/api/v1/login', { method: 'POST', headers, body: '{"code":"once"}' });
    const first = await logIn();
    expect(first.status).toBe(200);
    const [cookie] = first.headers['set-cookie'] ?? [];
    expect(cookie).toBe(`${door.cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=60`);
    expect((await logIn()).status).toBe(401);
    const out = await door.ask('/api/v1/logout', {
      method: 'POST',
      headers: { ...headers, cookie: door.cookie },
    });
    expect(out.status).toBe(200);
    expect(out.headers['set-cookie']?.[0]).toContain('Max-Age=0');
    const after = await door.ask('/api/v1/status', { headers: { cookie: door.cookie } });
    expect(after.status).toBe(401);
    // The browser deletes it, so that its tabs don't use up the tries of all callers.
    expect(after.headers['set-cookie']?.[0]).toContain('Max-Age=0');
  });

  it('comes from our own page, as JSON, and small', async () => {
    const door = await open(service);
    const origin = `http://${door.host}`;
    const json = { 'content-type': 'application/json' };
    const logIn = (headers: Record<string, string>, body: string) =>
      door.ask('/api/v1/login', { method: 'POST', headers, body });
    expect((await logIn(json, '{"code":"x"}')).status).toBe(403);
    expect((await logIn({ origin, 'content-type': 'text/plain' }, '{"code":"x"}')).status).toBe(415);
    expect((await logIn({ origin, ...json }, '{"code":1}')).status).toBe(400);
    expect((await logIn({ origin, ...json }, '"x"')).status).toBe(400);
    expect((await logIn({ origin, ...json }, `{"code":"${'x'.repeat(5_000)}"}`)).status).toBe(413);
    expect(door.access.looks).toBe(0);
  });
});
