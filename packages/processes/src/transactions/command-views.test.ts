import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, locateLauncher } from '@bulkhead/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandViews } from './command-views.ts';

const PACKAGE = join(import.meta.dirname, '../../../sandbox');

let folder: string;
let work: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-views-'));
  work = join(folder, 'work');
  for (const name of ['work', 'scratch']) mkdirSync(join(folder, name));
  writeFileSync(join(work, 'f'), 'at first\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** @param refused views that can't be made: the launcher simulates a kernel without them */
function viewsWithout(...refused: readonly ('overlay' | 'copy')[]): CommandViews {
  const launcher = join(folder, 'launcher');
  const lines = [
    '#!/bin/sh',
    'case " $* " in *" --copy "*) view=copy;; *) view=overlay;; esac',
    `case " ${refused.join(' ')} " in *" $view "*) echo "bulkhead-launcher: not here" >&2; exit 125;; esac`,
    `exec ${locateLauncher(PACKAGE)} "$@"`,
  ];
  writeFileSync(launcher, `${lines.join('\n')}\n`);
  chmodSync(launcher, 0o755);
  const sandbox = createSandbox({
    launcherPath: launcher,
    nodePath: process.execPath,
    runtimeFiles: [],
    nameSpaces: { agent: false, worker: false },
    scratch: folder,
  });
  return new CommandViews(join(folder, 'scratch'), sandbox);
}

describe('the view that commands of a folder work on [B2]', () => {
  it('is an overlay where one can be made; the trial leaves nothing behind', async () => {
    expect(await viewsWithout().of(work)).toEqual({ kind: 'overlay' });
    expect(readdirSync(work)).toEqual(['f']);
    expect(readdirSync(join(folder, 'scratch'))).toEqual([]);
  });

  it('sweeps what a killed engine left of a trial, and nothing that may still be at work or is no trial', async () => {
    const scratch = join(folder, 'scratch');
    const old = new Date(Date.now() - 700_000);
    for (const name of ['trial-killed', 'trial-now', '01M815EVHBNWQARB7SSNRMNG48']) {
      mkdirSync(join(scratch, name, 'copy'), { recursive: true });
      writeFileSync(join(scratch, name, 'copy', 'f'), 'of the folder');
    }
    for (const name of ['trial-killed', '01M815EVHBNWQARB7SSNRMNG48'])
      utimesSync(join(scratch, name), old, old);
    await viewsWithout().of(work);
    expect(readdirSync(scratch).toSorted()).toEqual(['01M815EVHBNWQARB7SSNRMNG48', 'trial-now']);
  });

  it('is a copy where no overlay can be made', async () => {
    expect(await viewsWithout('overlay').of(work)).toEqual({ kind: 'copy' });
    expect(readdirSync(work)).toEqual(['f']);
    expect(readdirSync(join(folder, 'scratch'))).toEqual([]);
  });

  it('is the folder itself where neither can be made, which says why [A4]', async () => {
    const views = viewsWithout('overlay', 'copy');
    expect(views.problem(work)).toBe('not yet checked whether its changes can be held back');
    expect(await views.of(work)).toMatchObject({ kind: 'live' });
    expect(views.problem(work)).toBe(
      `changes in ${work} can't be held back until they are judged (no overlay: not here; no copy: not here)`,
    );
  });

  it('is the folder itself where changes have no place to wait', async () => {
    const views = viewsWithout();
    await views.of('/proc');
    expect(views.problem('/proc')).toMatch(/^changes in \/proc have no place to wait/);
  });

  it('stays the same as long as it lives: what was judged as held back is never run otherwise [A4]', async () => {
    const views = viewsWithout();
    await views.of(work);
    writeFileSync(join(folder, 'launcher'), '#!/bin/sh\nexit 125\n');
    expect(await views.of(work)).toEqual({ kind: 'overlay' });
    expect(views.problem(work)).toBeUndefined();
  });

  const isRoot = process.getuid?.() === 0;

  it.runIf(isRoot)('is a copy on an overlay, as in a container', async ({ skip }) => {
    const mounted = join(folder, 'mounted');
    for (const name of ['lower', 'upper', 'inner', 'mounted']) mkdirSync(join(folder, name));
    mkdirSync(join(folder, 'lower/work'));
    const layers = `lowerdir=${folder}/lower,upperdir=${folder}/upper,workdir=${folder}/inner`;
    if (spawnSync('/bin/mount', ['-t', 'overlay', '-o', layers, 'overlay', mounted]).status !== 0)
      return skip('this machine mounts no overlay');
    try {
      const views = viewsWithout();
      expect(await views.of(join(mounted, 'work'))).toEqual({ kind: 'copy' });
    } finally {
      spawnSync('/bin/umount', [mounted]);
    }
  });
});
