import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, locateLauncher } from '@bulkhead/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseCommandBox } from './command-box.ts';

const BUBBLEWRAP = '/usr/bin/bwrap';
const works = spawnSync(BUBBLEWRAP, ['--unshare-user', '--ro-bind', '/', '/', '/bin/true']).status === 0;

let run: string;
beforeEach(() => {
  run = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-box-choice-')));
});
afterEach(() => rmSync(run, { recursive: true, force: true }));

/** A program in the place of `bwrap`. */
function fake(script: string, mode = 0o755): string {
  const path = join(run, 'fake-bwrap');
  writeFileSync(path, `#!/bin/bash\n${script}\n`);
  chmodSync(path, mode);
  return path;
}

function choose(ok: boolean, ...bubblewraps: readonly string[]) {
  const launcherPath = locateLauncher(join(import.meta.dirname, '../../../sandbox'));
  const nameSpaces = { agent: false, worker: false };
  const sandbox = createSandbox({
    launcherPath,
    nodePath: process.execPath,
    runtimeFiles: [],
    nameSpaces,
    scratch: run,
  });
  const probe = { ok, walls: [], failed: [] };
  return chooseCommandBox({ sandbox, probe, view: { kind: 'overlay' }, launcherPath, run, bubblewraps });
}

const UNBOXED = {
  kind: 'none',
  asks: { reason: expect.stringContaining('all your rights'), rule: 'commands/unboxed' as const },
};

describe('the box of commands', () => {
  it('is our own where its probe held, whatever else there is [D5]', async () => {
    const chosen = await choose(true, fake('exit 0'));
    expect(chosen).toMatchObject({ kind: 'overlay', view: { kind: 'overlay' } });
    expect(chosen.asks).toBeUndefined();
  });

  it.runIf(works)(
    'is that of bwrap where only bwrap may make one, and then every command asks [D5]',
    async () => {
      expect(await choose(false, join(run, 'missing'), BUBBLEWRAP)).toMatchObject({
        kind: 'bwrap',
        asks: { reason: 'what it changes here is changed at once', rule: 'commands/live' as const },
      });
    },
  );

  it.each([
    ['is not there', () => join(run, 'missing')],
    ['is no program', () => fake('exit 0', 0o644)],
    ['makes nothing', () => fake('echo "bwrap: setting up uid map: Permission denied" >&2; exit 1')],
    ['runs the command in no box', () => fake('while [ "$1" != -- ]; do shift; done; shift; exec "$@"')],
    ['only says what a held box would', () => fake('echo ran; echo read')],
  ])('is none where a bwrap %s: every command needs a person’s own yes [D5] [A4]', async (_what, make) => {
    expect(await choose(false, make())).toMatchObject(UNBOXED);
    expect(readdirSync(run).filter((name) => name !== 'fake-bwrap')).toEqual([]);
  });

  it('is none where there is nothing to try [D5]', async () => {
    expect(await choose(false)).toMatchObject(UNBOXED);
  });
});
