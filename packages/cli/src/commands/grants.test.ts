import { create } from '@bufbuild/protobuf';
import { GivenGrantSchema } from '@bulkhead/protocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { ScriptedEngine } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

const grant = (grantId: string, scope: string) =>
  create(GivenGrantSchema, {
    grantId,
    kind: 'hosts',
    targets: ['registry.test:443'],
    pattern: 'npm install',
    scope,
    sessionId: 'session-1',
    folder: '/work',
    by: 'tui/owner',
    givenAt: '2026-01-01T00:05:00.000Z',
  });

describe('bulkhead grants', () => {
  let home: ReturnType<typeof testHome>;
  let engine: ScriptedEngine;
  let given = [grant('01AAAAA1', 'folder'), grant('01AAAAB2', 'session')];
  let revoked: string[] = [];

  beforeEach(async () => {
    home = testHome();
    engine = new ScriptedEngine(home.layout, async () => {});
    given = [grant('01AAAAA1', 'folder'), grant('01AAAAB2', 'session')];
    revoked = [];
    engine.answers = {
      listGrants: () => ({ grants: given }),
      revokeGrant: ({ grantId }) => {
        revoked.push(grantId);
        return { revoked: true };
      },
    };
    await engine.listen();
  });
  afterEach(async () => {
    await engine.close();
    home[Symbol.dispose]();
  });

  async function call(...args: readonly string[]) {
    const environment = testEnvironment(home.layout);
    const code = await dispatch(['grants', ...args], environment);
    return { code, out: environment.out(), err: environment.err() };
  }

  it('lists what later commands may reach, and until when', async () => {
    const { code, out } = await call();
    expect(code).toBe(0);
    expect(out).toContain('01AAAAA1  npm install …\n  may reach registry.test:443 in /work\n');
    expect(out).toContain('until it is revoked; given by tui/owner');
    expect(out).toContain('for session session-1');
    given.push(
      create(GivenGrantSchema, {
        ...grant('01AAAAC3', 'folder'),
        kind: 'toolchain',
        targets: ['/home/ada/.cargo/bin', '/home/ada/.rustup'],
        pattern: '',
      }),
    );
    expect((await call()).out).toContain(
      '01AAAAC3  every command\n  may read and run programs in /home/ada/.cargo/bin, /home/ada/.rustup from /work\n',
    );
    const file = { kind: 'secret-file', targets: ['.env'], pattern: '', command: 'npm run dev' };
    given.push(create(GivenGrantSchema, { ...grant('01AAAAD4', 'folder'), ...file }));
    expect((await call()).out).toContain('01AAAAD4  npm run dev\n  may read .env in /work\n');
    given.pop();
    expect(JSON.parse((await call('list', '--json')).out)).toMatchObject([
      { grantId: '01AAAAA1', targets: ['registry.test:443'], scope: 'folder' },
      { grantId: '01AAAAB2' },
      { kind: 'toolchain', targets: ['/home/ada/.cargo/bin', '/home/ada/.rustup'] },
    ]);
    given = [];
    expect((await call('list')).out).toBe('no grants\n');
  });

  it('revokes one by a part of its id, and no other', async () => {
    expect(await call('revoke', 'AAAAB2')).toMatchObject({ code: 0, out: 'revoked 01AAAAB2\n' });
    expect(revoked).toEqual(['01AAAAB2']);
    const unknown = await call('revoke', '01ZZZZZZ');
    expect([unknown.code === 0, unknown.err.includes('no grant 01ZZZZZZ')]).toEqual([false, true]);
    expect(revoked).toHaveLength(1);
  });
});
