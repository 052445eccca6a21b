import { create } from '@bufbuild/protobuf';
import { GivenGrantSchema, type Toolchain, ToolchainSchema } from '@bulkhead/protocol/client';
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

const toolchain = (
  place: string,
  programs: string[],
  more: { allowed?: boolean; problems?: string[] } = {},
) =>
  create(ToolchainSchema, {
    place: `/home/ada/${place}`,
    programs,
    digest: `digest of ${place}`,
    folders: programs.length === 0 ? [] : [`/home/ada/${place}`, '/home/ada/.rustup'],
    ...more,
  });

describe('bulkhead grants', () => {
  let home: ReturnType<typeof testHome>;
  let engine: ScriptedEngine;
  let given = [grant('01AAAAA1', 'folder'), grant('01AAAAB2', 'session')];
  let revoked: string[] = [];
  let toolchains: Toolchain[] = [];

  beforeEach(async () => {
    home = testHome();
    engine = new ScriptedEngine(home.layout, async () => {});
    given = [grant('01AAAAA1', 'folder'), grant('01AAAAB2', 'session')];
    revoked = [];
    toolchains = [
      toolchain('.cargo/bin', ['cargo', 'clippy', 'fmt', 'rls', 'rustc', 'rustdoc', 'rustfmt']),
      toolchain('.local/bin', [], { problems: ['x\x1b]0;owned\x07: leads nowhere'] }),
      toolchain('go/bin', ['gopls'], { allowed: true }),
    ];
    engine.answers = {
      listToolchains: () => ({ toolchains }),
      allowToolchains: ({ toolchains: chosen }) => {
        for (const each of toolchains)
          if (chosen.some(({ place, digest }) => place === each.place && digest === each.digest))
            each.allowed = true;
        return { grants: [] };
      },
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
    return await callWith(undefined, ...args);
  }

  /** @param typed at a terminal; undefined without one */
  async function callWith(typed: string | undefined, ...args: readonly string[]) {
    const terminal = typed === undefined ? [] : (['stdin', 'stdout', 'stderr'] as const);
    const environment = testEnvironment(home.layout, { terminal, env: { HOME: '/home/ada', NO_COLOR: '1' } });
    const called = dispatch(['grants', ...args], environment);
    if (typed !== undefined) void environment.until('[y/N]').then(() => environment.stdin.write(typed));
    return { code: await called, out: environment.out(), err: environment.err() };
  }

  const allowed = () => toolchains.filter((one) => one.allowed).map(({ place }) => place);

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

  it('lists programs of the home that commands can be shown, and changes nothing by that', async () => {
    const { code, out } = await call('toolchains');
    expect(code).toBe(0);
    expect(out).toContain(
      '  ~/.cargo/bin\n    cargo, clippy, fmt, rls, rustc, rustdoc and 1 more\n    with ~/.rustup\n',
    );
    expect(out).toContain('  ~/go/bin  allowed\n');
    expect(out).toMatch(/ {4}x.*leads nowhere\n/);
    expect(allowed()).toEqual(['/home/ada/go/bin']);
    toolchains = [];
    expect((await call('toolchains')).out).toBe('no programs were found in your home folder\n');
  });

  it('allows them after one question, and not without approval', async () => {
    const no = await callWith('n\n', 'toolchains');
    expect(no.err).toContain('commands do not see yet:\n  ~/.cargo/bin\n');
    expect([no.out.includes('leads nowhere'), no.out.includes('\x1b')]).toEqual([true, false]);
    expect([no.code, no.err.includes('not allowed'), allowed()]).toEqual([0, true, ['/home/ada/go/bin']]);
    const yes = await callWith('y\n', 'toolchains');
    expect(yes.err).toContain('allowed: `bulkhead grants list` shows it');
    expect(allowed()).toEqual(['/home/ada/.cargo/bin', '/home/ada/go/bin']);
  });

  it('allows one folder, or all, with --yes', async () => {
    toolchains.push(toolchain('.deno/bin', ['deno']));
    const one = await call('toolchains', '/home/ada/.deno/bin', '--yes', '--json');
    expect(JSON.parse(one.out)).toMatchObject([{ place: '/home/ada/.deno/bin', allowed: true }]);
    expect(allowed()).not.toContain('/home/ada/.cargo/bin');
    expect((await call('toolchains', '--yes')).out).toContain('allowed: `bulkhead grants list` shows it');
    expect(allowed()).toHaveLength(3);
    const unknown = await call('toolchains', '/etc', '--yes');
    expect([unknown.code === 0, unknown.err]).toEqual([
      false,
      expect.stringContaining('/etc is no folder of programs in your home'),
    ]);
  });
});
