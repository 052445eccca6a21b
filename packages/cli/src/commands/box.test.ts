import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { noScript, ScriptedEngine } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

const HOME = {
  workingFolder: '/projects/a\nb',
  path: '/state/boxes/1',
  bytes: 3_145_728n,
  more: false,
  maxBytes: 2_147_483_648n,
  usedAt: 1_800_000_000_000n,
  running: 1,
  secrecy: '',
  trust: '',
};

let home: ReturnType<typeof testHome>;
let engine: ScriptedEngine;
let asked: unknown[];
let homes: (typeof HOME)[];
beforeEach(async () => {
  home = testHome();
  asked = [];
  homes = [HOME];
  engine = new ScriptedEngine(home.layout, noScript);
  engine.answers = {
    listPrivateHomes: ({ workingFolder }) => {
      asked.push(workingFolder);
      return { homes };
    },
    resetPrivateHome: ({ workingFolder }) => {
      asked.push(['reset', workingFolder]);
      return { homes };
    },
  };
  await engine.listen();
});
afterEach(async () => {
  await engine.close();
  home[Symbol.dispose]();
});

async function call(...argv: string[]) {
  const environment = testEnvironment(home.layout, {});
  const code = await dispatch(['box', ...argv], environment);
  return { code, out: environment.out(), err: environment.err(), cwd: environment.cwd };
}

describe('bulkhead box', () => {
  it('shows size, place, last use and what runs there, of the current folder', async () => {
    const { code, out, err, cwd } = await call();
    expect([code, err, asked]).toEqual([0, '', [cwd]]);
    expect(out).toBe(
      [
        '/projects/a b  3.0 MiB of 2048.0 MiB',
        '  in /state/boxes/1',
        '  last used 2027-01-15 08:00 UTC, 1 running',
        '',
      ].join('\n'),
    );
  });

  it('shows labels, and that a home is too large', async () => {
    homes = [{ ...HOME, more: true, secrecy: 'restricted', trust: 'external' }];
    const { out } = await call('show', '/elsewhere/x/..');
    expect(out).toContain('more than 3.0 MiB');
    expect(out).toContain('sessions that read: restricted, external');
    expect(out).toContain('read-only: too large');
    expect(asked).toEqual(['/elsewhere']);
  });

  it('shows those of all folders, also for programs', async () => {
    const { out } = await call('show', '--all', '--json');
    expect(JSON.parse(out)).toEqual([
      {
        workingFolder: '/projects/a\nb',
        path: '/state/boxes/1',
        running: 1,
        bytes: 3_145_728,
        maxBytes: 2_147_483_648,
        isFull: false,
        usedAt: '2027-01-15T08:00:00.000Z',
        label: null,
      },
    ]);
    expect(asked).toEqual(['']);
  });

  it('resets the home of a folder, and says what was removed', async () => {
    expect((await call('reset', '/work')).out).toBe('removed /state/boxes/1, 3.0 MiB\n');
    homes = [];
    expect((await call('reset', '/work')).out).toBe('no private home: nothing to remove\n');
    expect(asked).toEqual([
      ['reset', '/work'],
      ['reset', '/work'],
    ]);
  });

  it.each([['reset', 'a', 'b'], ['reset', '--all'], ['empty']])('refuses %j %j', async (...argv) => {
    expect(await call(...argv)).toMatchObject({ code: 2, out: '' });
    expect(asked).toEqual([]);
  });
});
