import { TrustState } from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { noScript, ScriptedEngine } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

/** Sets a terminal's title; as plain text it is harmless. */
const ATTACK = '\x1b]0;owned\x07';
const DIGEST = 'd'.repeat(64);
const FILES = [
  { path: '.bulkhead/skills/one/SKILL.md', size: 1234n, sha256: 'a'.repeat(64) },
  { path: `AGENTS.md${ATTACK}\nREADME.md`, size: 7n, sha256: 'b'.repeat(64) },
];

interface Call {
  readonly argv: readonly string[];
  readonly state?: TrustState;
  readonly files?: typeof FILES;
  /** Typed at a terminal; absent if there is no terminal. */
  readonly typed?: string;
}

async function trust({ argv, state = TrustState.UNTRUSTED, files = FILES, typed }: Call) {
  using home = testHome();
  const engine = new ScriptedEngine(home.layout, noScript);
  const asked: unknown[] = [];
  const changes = state === TrustState.CHANGED ? [{ path: 'AGENTS.md', what: 'changed' }] : [];
  engine.answers = {
    inspectFolder: ({ folder }) => ({ folder, state, files, changes, digest: DIGEST }),
    trustFolder: ({ folder, digest }) => {
      asked.push(['trust', folder, digest]);
      return {};
    },
    revokeTrust: ({ folder }) => ({ revoked: asked.push(['revoke', folder]) > 0 }),
    listTrusted: () => ({
      folders: [
        { folder: '/w/a', trustedAt: '2026-01-01T00:00:00.000Z', files: 1, state: TrustState.TRUSTED },
        {
          folder: `/w/b${ATTACK}`,
          trustedAt: 't',
          files: 2,
          state: TrustState.CHANGED,
          changes: [{ path: 'AGENTS.md', what: 'changed' }],
        },
      ],
    }),
  };
  await engine.listen();
  const environment = testEnvironment(home.layout, {
    cwd: '/w',
    terminal: typed === undefined ? [] : ['stdin', 'stdout', 'stderr'],
  });
  const called = dispatch(['trust', ...argv], environment);
  if (typed !== undefined) void environment.until('[y/N]').then(() => environment.stdin.write(typed));
  const code = await called;
  await engine.close();
  return { code, asked, out: environment.out(), err: environment.err() };
}

describe('trust', () => {
  it('shows what it is about, asks, and trusts exactly what was shown', async () => {
    const { code, asked, err, out } = await trust({ argv: ['a'], typed: 'y\n' });
    expect(code).toBe(0);
    expect(asked).toEqual([['trust', '/w/a', DIGEST]]);
    expect(err).toContain('  aaaaaaaaaaaaaaaa  1234 bytes  .bulkhead/skills/one/SKILL.md\n');
    expect(err).toContain(`digest ${DIGEST}`);
    expect(out).toContain('/w/a is trusted\n');
  });

  it('makes a hostile file name harmless, and keeps it on its line', async () => {
    const { err } = await trust({ argv: ['a'], typed: 'n\n' });
    expect(err).toContain('     7 bytes  AGENTS.md\\x1b]0;owned');
    expect(err).not.toContain('\x1b');
    expect(err).not.toContain('\nREADME.md');
  });

  it.each([
    ['n\n', 3],
    ['\n', 3],
    ['sure\n', 3],
  ])('takes %j for no', async (typed, expected) => {
    const { code, asked, err } = await trust({ argv: [], typed });
    expect({ code, asked }).toEqual({ code: expected, asked: [] });
    expect(err).toContain('it is not trusted');
  });

  it('never trusts without a terminal, except with --yes', async () => {
    for (const argv of [['a'], ['a', '--json']]) {
      expect(await trust({ argv })).toMatchObject({ code: 3, asked: [] });
    }
    const { code, asked, out } = await trust({ argv: ['a', '--json', '--yes'] });
    expect({ code, asked }).toEqual({ code: 0, asked: [['trust', '/w/a', DIGEST]] });
    expect(JSON.parse(out)).toMatchObject({ folder: '/w/a', state: 'trusted', digest: DIGEST });
  });

  it('says which file changed since', async () => {
    const { err } = await trust({ argv: ['a'], typed: 'n\n', state: TrustState.CHANGED });
    expect(err).toMatch(/^\/w\/a was trusted and has changed since:\n {2}changed {2}AGENTS\.md\n/);
    const { out } = await trust({ argv: ['a', '--json'], state: TrustState.CHANGED });
    expect(JSON.parse(out)).toMatchObject({
      state: 'changed',
      changes: [{ path: 'AGENTS.md', what: 'changed' }],
    });
  });

  it('asks nothing where there is nothing to decide', async () => {
    expect(await trust({ argv: [], files: [] })).toMatchObject({
      code: 0,
      asked: [],
      out: expect.stringContaining('nothing to trust'),
    });
    expect(await trust({ argv: [], state: TrustState.TRUSTED })).toMatchObject({
      code: 0,
      asked: [],
      out: expect.stringContaining('trusted already'),
    });
  });

  it('lists, and ends', async () => {
    const { out } = await trust({ argv: ['--list'] });
    expect(out).toBe(
      `/w/a  1 file, 2026-01-01T00:00:00.000Z\n/w/b${ATTACK}  2 files, t  changed since: ignored\n  changed AGENTS.md\n`,
    );
    const json = await trust({ argv: ['--list', '--json'] });
    expect(JSON.parse(json.out)).toMatchObject([{ state: 'trusted' }, { state: 'changed', files: 2 }]);
    const ended = await trust({ argv: ['--revoke', 'b'] });
    expect(ended).toMatchObject({ code: 0, asked: [['revoke', '/w/b']], out: '/w/b is no longer trusted\n' });
  });

  it.each([[['a', 'b']], [['--list', 'a']], [['--revoke', 'a', 'b']]])('refuses %j', async (argv) => {
    expect(await trust({ argv })).toMatchObject({ code: 2, asked: [] });
  });
});
