import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AuditSink } from '@bulkhead/audit';
import { createIdSource } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAccessDatabase } from './access-database.ts';
import { AccessService } from './access-service.ts';

const DAY = 86_400_000;

let folder: string;
const stack = { current: new DisposableStack() };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-access-'));
});
afterEach(() => {
  stack.current.dispose();
  stack.current = new DisposableStack();
  rmSync(folder, { recursive: true, force: true });
});

const databasePath = () => join(folder, 'access.db');
const tokenPath = () => join(folder, 'access-token');

/** A service over the test's files, as one engine process creates it. */
function service(append?: AuditSink['append']) {
  const time = { now: 1_790_000_000_000, confirmed: 0, atMost: 0 };
  const told: string[] = [];
  const secrets: string[] = [];
  const noted: string[] = [];
  const context = {
    audit: {
      append:
        append ??
        (async (entries) => {
          noted.push(...entries.map(({ step, details }) => `${step} ${String(details['kind'])}`));
          return [];
        }),
    } satisfies AuditSink,
    clock: { now: () => time.now, monotonic: () => 0 },
    ids: createIdSource(() => time.now),
  };
  const access = new AccessService(context, {
    database: stack.current.use(openAccessDatabase(databasePath())),
    tokenPath: tokenPath(),
    machine: { sinceBoot: () => time.confirmed },
    time: { confirmed: () => time.confirmed, atMost: () => Math.max(time.confirmed, time.atMost) },
    onSecret: (secret) => secrets.push(secret),
  });
  access.onEnd((id) => told.push(id));
  return { access, time, told, secrets, noted };
}

describe('the owner’s token', () => {
  it('is created at the first use, repeated later, and valid in the next life of the engine', async () => {
    const { access, secrets } = service();
    expect(access.owner()).toBeUndefined();
    expect(access.prove('', 'bearer')).toBeUndefined();
    const token = access.ownerToken();
    expect(token).toMatch(/^bulkhead_[\w-]{43}$/);
    expect(access.ownerToken()).toBe(token);
    expect(statSync(tokenPath()).mode & 0o777).toBe(0o600);
    expect(statSync(databasePath()).mode & 0o777).toBe(0o600);
    expect(access.prove(token, 'bearer')).toMatchObject({ kind: 'owner' });
    expect(access.prove(token, 'cookie')).toBeUndefined();
    expect(secrets).toContain(token);
    const next = service();
    expect(next.secrets).toEqual([token]);
    expect(next.access.prove(token, 'bearer')).toMatchObject({ kind: 'owner' });
  });

  it('ends when it is rotated, with all logins, and no program with it [FT38]', async () => {
    const { access, told } = service();
    const token = access.ownerToken();
    const owner = access.prove(token, 'bearer');
    const login = (await access.logIn(access.createLoginCode().code))?.secret ?? '';
    const program = await access.createProgram('x');
    const loginId = access.prove(login, 'cookie')?.id;
    const { code } = access.createLoginCode();
    const { token: fresh, endedLogins } = await access.rotate();
    expect(await access.logIn(code)).toBeUndefined();
    expect(endedLogins).toBe(1);
    expect(told.toSorted()).toEqual([loginId, owner?.id].toSorted());
    expect(access.prove(token, 'bearer')).toBeUndefined();
    expect(access.prove(login, 'cookie')).toBeUndefined();
    expect(access.prove(fresh, 'bearer')).toMatchObject({ kind: 'owner' });
    expect(access.prove(program, 'bearer')).toMatchObject({ kind: 'program', name: 'x' });
    expect(service().access.prove(token, 'bearer')).toBeUndefined();
  });

  it('refuses everyone if others can read it or it was cut, and says so to the client', async () => {
    const { access } = service();
    const token = access.ownerToken();
    chmodSync(tokenPath(), 0o640);
    const next = service().access;
    expect(next.prove(token, 'bearer')).toBeUndefined();
    expect(() => next.ownerToken()).toThrow(expect.objectContaining({ code: 'unauthenticated' }));
    rmSync(tokenPath());
    writeFileSync(tokenPath(), '', { mode: 0o600 });
    const cut = service().access;
    expect(cut.prove('', 'bearer')).toBeUndefined();
    expect(() => cut.ownerToken()).toThrow(expect.objectContaining({ code: 'unauthenticated' }));
    expect(cut.prove((await cut.rotate()).token, 'bearer')).toMatchObject({ kind: 'owner' });
  });
});

describe('a login', () => {
  it('takes a code once, within a minute', async () => {
    const { access, time } = service();
    const { code, expires } = access.createLoginCode();
    expect([code.length, expires - time.now]).toEqual([43, 60_000]);
    expect(await access.logIn(`${code}x`)).toBeUndefined();
    expect(await access.logIn('')).toBeUndefined();
    expect((await access.logIn(code))?.secret).toMatch(/^[\w-]{43}$/);
    expect(await access.logIn(code)).toBeUndefined();
    const late = access.createLoginCode().code;
    time.now -= 400 * DAY;
    time.confirmed += 60_000;
    expect(await access.logIn(late)).toBeUndefined();
  });

  it('lives for thirty days, over restarts, and ends at once when its owner says so', async () => {
    const { access, time } = service();
    const secret = (await access.logIn(access.createLoginCode().code))?.secret ?? '';
    const proof = access.prove(secret, 'cookie');
    expect(proof).toMatchObject({ kind: 'login' });
    expect(service().access.prove(secret, 'cookie')).toEqual(proof);
    const { access: other, told } = service();
    expect(await other.revoke(proof?.id ?? '')).toBe(true);
    expect(told).toEqual([proof?.id]);
    expect(other.prove(secret, 'cookie')).toBeUndefined();
    expect(service().access.grants()).toEqual([]);
    const again = (await access.logIn(access.createLoginCode().code))?.secret ?? '';
    time.confirmed += 30 * DAY - 1;
    expect(access.prove(again, 'cookie')).toBeDefined();
    time.confirmed += 1;
    expect(access.prove(again, 'cookie')).toBeUndefined();
  });

  it.each([400 * DAY, -400 * DAY, 3_650 * DAY])(
    'lives neither longer nor shorter for a wall clock that is wrong by %d ms when it is made [FT83]',
    async (jump) => {
      const wrong = service();
      wrong.time.now += jump;
      const secret = (await wrong.access.logIn(wrong.access.createLoginCode().code))?.secret ?? '';
      const { access, time } = service();
      time.confirmed += 30 * DAY - 1;
      expect(access.prove(secret, 'cookie')).toBeDefined();
      time.confirmed += 1;
      expect(access.prove(secret, 'cookie')).toBeUndefined();
    },
  );

  it('is refused permanently after the machine may have been off for too long [FT83]', async () => {
    const { access, time, told } = service();
    const secret = (await access.logIn(access.createLoginCode().code))?.secret ?? '';
    time.atMost = 60 * DAY;
    expect(access.prove(secret, 'cookie')).toBeUndefined();
    expect(told).toHaveLength(1);
    time.atMost = 0;
    expect(access.prove(secret, 'cookie')).toBeUndefined();
    expect(service().access.grants()).toEqual([]);
  });

  it('of an engine that knew no confirmed time lives as long as its date says', async () => {
    const { access } = service();
    const secret = (await access.logIn(access.createLoginCode().code))?.secret ?? '';
    stack.current.use(new DatabaseSync(databasePath())).exec('DELETE FROM ends');
    const { access: next, time } = service();
    expect(next.prove(secret, 'cookie')).toBeDefined();
    time.confirmed = 30 * DAY;
    expect(next.prove(secret, 'cookie')).toBeUndefined();
  });

  it('makes room: the oldest of too many ends', async () => {
    const { access, told } = service();
    const secrets: string[] = [];
    for (let count = 0; count < 52; count += 1)
      secrets.push((await access.logIn(access.createLoginCode().code))?.secret ?? '');
    expect(told).toHaveLength(2);
    expect(secrets.map((secret) => access.prove(secret, 'cookie') !== undefined)).toEqual([
      false,
      false,
      ...Array.from({ length: 50 }, () => true),
    ]);
  });
});

describe('a program’s token', () => {
  it('has a name of its own, and ends by that name', async () => {
    const { access, told } = service();
    const token = await access.createProgram('open-webui');
    for (const name of ['owner', 'Owner', 'open-webui', '', '-x', 'a b', 'x'.repeat(65), 'a/b'])
      await expect(access.createProgram(name)).rejects.toMatchObject({ code: 'usage' });
    expect(access.prove(token, 'bearer')).toMatchObject({ kind: 'program', name: 'open-webui' });
    expect(access.grants().map(({ used }) => used)).toEqual([1_790_000_000_000]);
    const both = await Promise.allSettled([access.createProgram('twice'), access.createProgram('twice')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await access.revoke('twice')).toBe(true);
    told.length = 0;
    expect(await access.revoke('nobody')).toBe(false);
    expect(await access.revoke('open-webui')).toBe(true);
    expect(told).toHaveLength(1);
    expect(access.prove(token, 'bearer')).toBeUndefined();
  });

  it('ends at once where the store can not be written, and in the store once it can [A2] [FT80]', async () => {
    const { access, told, noted } = service();
    const token = await access.createProgram('stolen');
    const other = new DatabaseSync(databasePath());
    other.exec("CREATE TRIGGER full BEFORE DELETE ON grants BEGIN SELECT RAISE(ABORT, 'no room'); END");
    await expect(access.revoke('stolen')).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringMatching(
        /^the access has ended, but may be valid again after a start: .*no room/,
      ),
      fix: expect.stringContaining('Repeat this'),
    });
    expect([told.length, access.prove(token, 'bearer'), access.grants()]).toEqual([1, undefined, []]);
    expect(service().access.prove(token, 'bearer')).toMatchObject({ name: 'stolen' });
    await expect(access.revoke('stolen')).rejects.toMatchObject({ code: 'store_failed' });
    other.exec('DROP TRIGGER full');
    other.close();
    await access.writeEnds();
    expect(noted).toEqual(['ACCESS_GIVEN program', 'ACCESS_ENDED program']);
    expect(service().access.prove(token, 'bearer')).toBeUndefined();
    expect(await access.revoke('stolen')).toBe(false);
  });
});

describe('the audit log', () => {
  it('names each way in before it takes effect, and its end; without a record, no access is given', async () => {
    const { access, noted } = service();
    const login = (await access.logIn(access.createLoginCode().code))?.secret ?? '';
    await access.createProgram('x');
    await access.revoke('x');
    access.ownerToken();
    await access.rotate();
    expect(noted).toEqual([
      'ACCESS_GIVEN login',
      'ACCESS_GIVEN program',
      'ACCESS_ENDED program',
      'ACCESS_ENDED login',
      'ACCESS_GIVEN owner',
    ]);
    expect(access.prove(login, 'cookie')).toBeUndefined();
    const { access: mute } = service(() => Promise.reject(new Error('full')));
    await expect(mute.logIn(mute.createLoginCode().code)).rejects.toThrow('full');
    await expect(mute.createProgram('y')).rejects.toThrow('full');
    expect(mute.grants()).toEqual([]);
  });
});

describe('kept tokens', () => {
  it('is hashes, beside the owner’s token in its own file [FT51]', async () => {
    const { access } = service();
    const login = (await access.logIn(access.createLoginCode().code))?.secret ?? '';
    const secrets = [access.ownerToken(), await access.createProgram('x'), login];
    stack.current.dispose();
    stack.current = new DisposableStack();
    const bytes = readFileSync(databasePath()).toString('latin1');
    for (const secret of secrets) expect(bytes.includes(secret.slice(-20))).toBe(false);
  });

  it('is refused when it is damaged, with the way to mend it', async () => {
    writeFileSync(databasePath(), 'not a database at all, but long enough to be one'.repeat(100));
    expect(() => openAccessDatabase(databasePath())).toThrow(
      expect.objectContaining({ code: 'store_corrupt', fix: expect.any(String) }),
    );
  });
});
