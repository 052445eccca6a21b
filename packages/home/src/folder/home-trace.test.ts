import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeLayout } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkHome, forgetHome, recordHome } from './home-trace.ts';
import { prepareHome } from './prepare-home.ts';

let top: string;
let env: { XDG_STATE_HOME: string };
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'bulkhead-trace-'));
  env = { XDG_STATE_HOME: join(top, 'state') };
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function made(name: string) {
  const layout = homeLayout(join(top, name));
  prepareHome(layout);
  recordHome(layout, env);
  return layout;
}

const records = (): string[] => readdirSync(join(env.XDG_STATE_HOME, 'bulkhead/homes'));

describe('the record of a home', () => {
  it('knows its home, and no other path', () => {
    const layout = made('home');
    expect(checkHome(layout, env)).toBe('known');
    expect(checkHome(homeLayout(join(top, 'other')), env)).toBe('new');
    expect(records()).toHaveLength(1);
  });

  it('lets a person remove or replace a home on a mounted disk', () => {
    const layout = made('home');
    rmSync(layout.root, { recursive: true });
    expect(checkHome(layout, env)).toBe('replaced');
    prepareHome(layout);
    expect(checkHome(layout, env)).toBe('replaced');
    recordHome(layout, env);
    expect(checkHome(layout, env)).toBe('known');
  });

  it('gives a home of an earlier version an id', () => {
    const layout = made('home');
    writeFileSync(layout.mark, '{"version":1}\n');
    prepareHome(layout);
    recordHome(layout, env);
    expect(checkHome(layout, env)).toBe('known');
  });

  it('refuses a new home where a record can not be read, until the home is forgotten', () => {
    const layout = made('home');
    const [name = ''] = records();
    writeFileSync(join(env.XDG_STATE_HOME, 'bulkhead/homes', name), '{"version":1,"home":');
    expect(checkHome(layout, env)).toBe('new');
    rmSync(layout.root, { recursive: true });
    expect(() => checkHome(layout, env)).toThrow(/the home that was used at .* is not there now/);
    forgetHome(layout, env);
    expect(checkHome(layout, env)).toBe('new');
  });

  it('takes a home whose folder for logs was made before it for unfinished', () => {
    const layout = homeLayout(join(top, 'home'));
    mkdirSync(layout.logs, { recursive: true, mode: 0o700 });
    expect(checkHome(layout, env)).toBe('new');
    prepareHome(layout);
    expect(existsSync(layout.mark)).toBe(true);
    expect(readdirSync(layout.policies).length).toBeGreaterThan(3);
  });

  it('is kept for the homes that were used last only', () => {
    for (let each = 0; each < 103; each += 1) {
      const layout = homeLayout(join(top, `home-${each}`));
      mkdirSync(layout.state, { recursive: true });
      writeFileSync(layout.mark, `{"version":1,"id":"${each}"}`);
      recordHome(layout, env);
    }
    expect(records()).toHaveLength(100);
    expect(checkHome(homeLayout(join(top, 'home-102')), env)).toBe('known');
  });
});

const canMount = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
if (!canMount) process.stderr.write('SKIPPED: disks that are not mounted need user and mount namespaces\n');

describe.skipIf(!canMount)('a home whose disk is not mounted', () => {
  /**
   * Runs steps in a mount namespace: shell commands, and `check`, which prints the trace's state of
   * the home.
   */
  function steps(script: string): string[] {
    const layout = homeLayout(join(top, 'disk/home'));
    const code = `
      import { checkHome, recordHome } from ${JSON.stringify(new URL('home-trace.ts', import.meta.url).href)};
      import { prepareHome } from ${JSON.stringify(new URL('prepare-home.ts', import.meta.url).href)};
      const layout = JSON.parse(process.argv[2]);
      try {
        if (process.argv[1] === 'make') { prepareHome(layout); recordHome(layout, process.env); }
        else console.log(checkHome(layout, process.env));
      } catch (error) { console.log(error.message); }`;
    const node = (what: string): string =>
      `"$NODE" --experimental-transform-types --no-warnings --input-type=module -e "$CODE" ${what} "$LAYOUT"`;
    const text = `set -e; cd '${top}'; mkdir disk a b; make() { ${node('make')}; }; check() { ${node('check')}; }; ${script}`;
    const output = execFileSync('unshare', ['-Urm', 'sh', '-c', text], {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        ...env,
        NODE: process.execPath,
        CODE: code,
        LAYOUT: JSON.stringify(layout),
      },
    });
    return output.trim().replaceAll(top, 'TOP').split('\n');
  }

  it('is not made anew in the empty mount point, and is known again once it is mounted', () => {
    expect(steps('mount --bind a disk; make; umount disk; check; mount --bind a disk; check')).toEqual([
      'the home that was used at TOP/disk/home is not there now: the disk that was mounted at TOP/disk is not mounted',
      'known',
    ]);
  });

  it('is not made anew on another disk that is mounted there, nor over it', () => {
    expect(
      steps('mount --bind a disk; make; umount disk; mount --bind b disk; check; umount disk; check'),
    ).toEqual([
      expect.stringMatching(/another disk is mounted at TOP\/disk$/),
      expect.stringMatching(/not mounted$/),
    ]);
    rmSync(env.XDG_STATE_HOME, { recursive: true });
    for (const name of ['disk', 'a', 'b']) rmSync(join(top, name), { recursive: true });
    expect(steps('make; mount --bind a disk; check; umount disk; check')).toEqual([
      expect.stringMatching(/another disk is mounted at TOP\/disk$/),
      'known',
    ]);
  });

  it('may be removed while its disk is mounted, and is known on a copy of the disk', () => {
    expect(
      steps(`mount --bind a disk; make; rm -r disk/home; check; make; umount disk
        cp -a a/home b/; mount --bind b disk; check`),
    ).toEqual(['replaced', 'known']);
  });

  it('is made anew in a file system that keeps nothing', () => {
    expect(
      steps(`mount -t tmpfs none disk; make; umount disk; check; mount -t tmpfs none disk; check`),
    ).toEqual([expect.stringMatching(/not mounted$/), 'replaced']);
  });
});
