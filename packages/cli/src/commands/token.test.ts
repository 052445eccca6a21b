import { describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { noScript, ScriptedEngine } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

const grants = [
  { id: 'owner-1', kind: 'owner' },
  { id: 'G1', kind: 'program', name: 'webui', createdAt: 'T1', usedAt: 'T2' },
  { id: 'G2', kind: 'login', createdAt: 'T3', expiresAt: 'T4' },
];

async function token(
  argv: readonly string[],
  httpAddress = 'http://127.0.0.1:7411',
  terminal: readonly ('stdin' | 'stdout' | 'stderr')[] = [],
) {
  using home = testHome();
  const engine = new ScriptedEngine(home.layout, noScript);
  const asked: string[] = [];
  engine.answers = {
    rotateAccessToken: () => ({ token: 'bulkhead_fresh', endedLogins: 2 }),
    createLoginCode: () => ({ code: 'once', expiresAt: 'T', httpAddress }),
    createProgramToken: ({ name }) => ({ token: `bulkhead_program_of-${name}` }),
    listAccess: () => ({ grants }),
    revokeAccess: ({ target }) => ({ revoked: asked.push(target) > 0 && target === 'webui' }),
  };
  await engine.listen();
  try {
    const environment = testEnvironment(home.layout, { terminal });
    const code = await dispatch(['token', ...argv], environment);
    return { code, out: environment.out(), err: environment.err(), asked };
  } finally {
    await engine.close();
  }
}

describe('bulkhead token', () => {
  it('prints the owner’s token alone, so that a command can take it in', async () => {
    expect(await token([])).toMatchObject({ code: 0, out: 'bulkhead_of-the-owner\n', err: '' });
    expect(JSON.parse((await token(['--json'])).out)).toEqual({ token: 'bulkhead_of-the-owner' });
    expect(await token(['--rotate'])).toMatchObject({ code: 0, out: 'bulkhead_fresh\n' });
  });

  it('--login prints a link that carries the code where no server sees it [I5]', async () => {
    const { code, out, err } = await token(['--login']);
    expect([code, out, err]).toEqual([0, 'http://127.0.0.1:7411/#login=once\n', '']);
    expect(JSON.parse((await token(['--login', '--json'])).out)).toEqual({
      link: 'http://127.0.0.1:7411/#login=once',
      expiresAt: 'T',
    });
    expect(await token(['--login'], '')).toMatchObject({ code: 1, out: '' });
    expect((await token(['--login', '--rotate'])).code).toBe(2);
  });

  it('--login says what the link is good for, to a person and beside the link [I1]', async () => {
    // `bulkhead token --login | xclip`
    const person = ['stdin', 'stderr'] as const;
    const { out, err } = await token(['--login'], undefined, person);
    expect(out).toBe('http://127.0.0.1:7411/#login=once\n');
    expect(err).toBe('It works once, within a minute, and in a browser on this machine only.\n');
    expect((await token(['--login', '--json'], undefined, person)).err).toBe('');
    expect((await token([], undefined, person)).err).toBe('');
  });

  it('makes, lists and takes back programs’ tokens', async () => {
    expect(await token(['create', 'webui'])).toMatchObject({ code: 0, out: 'bulkhead_program_of-webui\n' });
    expect((await token(['create'])).code).toBe(2);
    expect((await token(['create', 'x', '--login'])).code).toBe(2);
    expect((await token(['list'])).out).toBe(
      'owner-1  owner\nG1  program webui  made T1, used T2\nG2  login  made T3, not used yet, until T4\n',
    );
    expect(JSON.parse((await token(['list', '--json'])).out)[1]).toMatchObject({ id: 'G1', name: 'webui' });
    expect(await token(['revoke', 'webui'])).toMatchObject({ code: 0, out: 'revoked\n', asked: ['webui'] });
    expect((await token(['revoke', 'nobody'])).code).toBe(1);
  });
});
