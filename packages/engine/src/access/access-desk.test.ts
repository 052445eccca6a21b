import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdSource } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAccessDatabase } from './access-database.ts';
import { AccessDesk } from './access-desk.ts';

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

/** A desk over the test's files, as one life of an engine has it. */
function desk() {
  const time = { now: 1_000_000 };
  const told: string[] = [];
  const secrets: string[] = [];
  const access = new AccessDesk({
    database: stack.current.use(openAccessDatabase(databasePath())),
    tokenPath: tokenPath(),
    clock: { now: () => time.now, monotonic: () => time.now },
    ids: createIdSource(() => time.now),
    onSecret: (secret) => secrets.push(secret),
  });
  access.onEnd((id) => told.push(id));
  return { access, time, told, secrets };
}

describe('the owner’s token', () => {
  it('is made at the first use, told again, and good in the next life of the engine', () => {
    const { access, secrets } = desk();
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
    const next = desk();
    expect(next.secrets).toEqual([token]);
    expect(next.access.prove(token, 'bearer')).toMatchObject({ kind: 'owner' });
  });

  it('ends when it is rotated, with all logins, and no program with it [FT38]', () => {
    const { access, told } = desk();
    const token = access.ownerToken();
    const owner = access.prove(token, 'bearer');
    const login = access.logIn(access.createLoginCode().code)?.secret ?? '';
    const program = access.createProgram('x');
    const loginId = access.prove(login, 'cookie')?.id;
    const { token: fresh, endedLogins } = access.rotate();
    expect(endedLogins).toBe(1);
    expect(told.toSorted()).toEqual([loginId, owner?.id].toSorted());
    expect(access.prove(token, 'bearer')).toBeUndefined();
    expect(access.prove(login, 'cookie')).toBeUndefined();
    expect(access.prove(fresh, 'bearer')).toMatchObject({ kind: 'owner' });
    expect(access.prove(program, 'bearer')).toMatchObject({ kind: 'program', name: 'x' });
    expect(desk().access.prove(token, 'bearer')).toBeUndefined();
  });

  it('is none if others can read it, or it was cut: nobody comes in by it, and who asks is told', () => {
    const { access } = desk();
    const token = access.ownerToken();
    chmodSync(tokenPath(), 0o640);
    const next = desk().access;
    expect(next.prove(token, 'bearer')).toBeUndefined();
    expect(() => next.ownerToken()).toThrow(expect.objectContaining({ code: 'unauthenticated' }));
    rmSync(tokenPath());
    writeFileSync(tokenPath(), '', { mode: 0o600 });
    const cut = desk().access;
    expect(cut.prove('', 'bearer')).toBeUndefined();
    expect(() => cut.ownerToken()).toThrow(expect.objectContaining({ code: 'unauthenticated' }));
    expect(cut.prove(cut.rotate().token, 'bearer')).toMatchObject({ kind: 'owner' });
  });
});

describe('a login', () => {
  it('takes a code once, within a minute', () => {
    const { access, time } = desk();
    const { code, expires } = access.createLoginCode();
    expect([code.length, expires - time.now]).toEqual([43, 60_000]);
    expect(access.logIn(`${code}x`)).toBeUndefined();
    expect(access.logIn('')).toBeUndefined();
    expect(access.logIn(code)?.secret).toMatch(/^[\w-]{43}$/);
    expect(access.logIn(code)).toBeUndefined();
    const late = access.createLoginCode().code;
    time.now += 60_000;
    expect(access.logIn(late)).toBeUndefined();
  });

  it('lives for thirty days, over restarts, and ends at once when its owner says so', () => {
    const { access, time } = desk();
    const secret = access.logIn(access.createLoginCode().code)?.secret ?? '';
    const proof = access.prove(secret, 'cookie');
    expect(proof).toMatchObject({ kind: 'login' });
    expect(desk().access.prove(secret, 'cookie')).toEqual(proof);
    const { access: other, told } = desk();
    expect(other.revoke(proof?.id ?? '')).toBe(true);
    expect(told).toEqual([proof?.id]);
    expect(other.prove(secret, 'cookie')).toBeUndefined();
    expect(desk().access.grants()).toEqual([]);
    const again = access.logIn(access.createLoginCode().code)?.secret ?? '';
    time.now += 30 * 86_400_000;
    expect(access.prove(again, 'cookie')).toBeUndefined();
  });

  it('makes room: the oldest of too many ends', () => {
    const { access, told } = desk();
    const secrets = Array.from(
      { length: 52 },
      () => access.logIn(access.createLoginCode().code)?.secret ?? '',
    );
    expect(told).toHaveLength(2);
    expect(secrets.map((secret) => access.prove(secret, 'cookie') !== undefined)).toEqual([
      false,
      false,
      ...Array.from({ length: 50 }, () => true),
    ]);
  });
});

describe('a program’s token', () => {
  it('has a name of its own, and ends by that name', () => {
    const { access, told } = desk();
    const token = access.createProgram('open-webui');
    for (const name of ['open-webui', '', '-x', 'a b', 'x'.repeat(65), 'a/b'])
      expect(() => access.createProgram(name)).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(access.prove(token, 'bearer')).toMatchObject({ kind: 'program', name: 'open-webui' });
    expect(access.grants().map(({ used }) => used)).toEqual([1_000_000]);
    expect(access.revoke('nobody')).toBe(false);
    expect(access.revoke('open-webui')).toBe(true);
    expect(told).toHaveLength(1);
    expect(access.prove(token, 'bearer')).toBeUndefined();
  });
});

describe('what is kept', () => {
  it('is hashes, beside the owner’s token in its own file [FT51]', () => {
    const { access } = desk();
    const login = access.logIn(access.createLoginCode().code)?.secret ?? '';
    const secrets = [access.ownerToken(), access.createProgram('x'), login];
    stack.current.dispose();
    stack.current = new DisposableStack();
    const bytes = readFileSync(databasePath()).toString('latin1');
    for (const secret of secrets) expect(bytes.includes(secret.slice(-20))).toBe(false);
  });

  it('is refused when it is damaged, with the way to mend it', () => {
    writeFileSync(databasePath(), 'not a database at all, but long enough to be one'.repeat(100));
    expect(() => openAccessDatabase(databasePath())).toThrow(
      expect.objectContaining({ code: 'store_corrupt', fix: expect.any(String) }),
    );
  });
});
