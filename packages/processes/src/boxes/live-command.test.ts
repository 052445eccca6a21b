import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeLayout, systemTimers } from '@bulkhead/protocol';
import { bubblewrapShell, createSandbox, locateLauncher } from '@bulkhead/sandbox';
import { createShellHost } from '@bulkhead/tools';
import { testCall } from '@bulkhead/tools/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closedEgress } from '../testing/closed-egress.ts';
import type { CommandBox } from './command-box.ts';
import { beginLive, watchFreeSpace } from './live-command.ts';
import { Placeholders } from './placeholders.ts';

const bubblewrapPath = '/usr/bin/bwrap';
const hasBubblewrap =
  spawnSync(bubblewrapPath, ['--unshare-user', '--ro-bind', '/', '/', '/bin/true']).status === 0;

let root: string;
let work: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-live-')));
  work = join(root, 'work');
  for (const name of ['work/lib/.git/hooks', 'work/.vscode', 'home', 'run'])
    mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(work, 'lib/.env'), 'canary');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function launcherBox(): CommandBox {
  const sandbox = createSandbox({
    launcherPath: locateLauncher(join(import.meta.dirname, '../../../sandbox')),
    nodePath: process.execPath,
    runtimeFiles: [],
    nameSpaces: { agent: false, worker: false },
    scratch: join(root, 'run'),
  });
  return { kind: 'overlay', launch: (box, program) => sandbox.launch(box, program) };
}

function bubblewrapBox(): CommandBox {
  const launcherPath = locateLauncher(join(import.meta.dirname, '../../../sandbox'));
  const shell = bubblewrapShell({ bubblewrapPath, launcherPath, scratch: join(root, 'run') });
  return { kind: 'bwrap', launch: (box, program) => shell.launch(box, program) };
}

function run(box: CommandBox, command: string) {
  const parts = {
    layout: homeLayout(join(root, 'home')),
    box,
    placeholders: new Placeholders(join(root, 'placeholders')),
    timers: systemTimers,
    roots: { of: () => undefined, remarks: () => [] },
    protectedFiles: { linked: async () => new Map<string, number>(), shownIn: () => [] },
    networks: { enter: () => Promise.reject(new Error('only background commands share one')) },
    openEgress: closedEgress(join(root, 'run')),
  };
  const host = createShellHost({
    home: '/home/bulkhead',
    outputs: join(root, 'outputs'),
    begin: (program, call) => beginLive(parts, { ...program, shown: [], beside: [], kept: {} }, call),
  });
  const call = testCall('bash', { command }, { workingFolder: work });
  return host.execute(call, () => {}, new AbortController().signal);
}

const BOXES: readonly (readonly [string, boolean, () => CommandBox])[] = [
  ['the launcher', true, launcherBox],
  ['bwrap', hasBubblewrap, bubblewrapBox],
];

describe.each(BOXES)('a command that writes the folder itself, in a box of %s', (_maker, works, make) => {
  it.runIf(works)(
    'changes nothing that is obeyed later, there or not, and sees no nested credential [FT14] [A2]',
    async () => {
      const attack = [
        'echo x > lib/.git/hooks/pre-commit',
        'echo x > .vscode/tasks.json',
        'mkdir .git/hooks',
        'echo x > .bulkhead/y',
        'mv .git away; mv lib/.git lib/away; mv lib other; mkdir -p lib/.git/hooks',
        'cat lib/.env',
        'echo made > plain',
      ];
      const { text } = await run(make(), attack.join('; '));
      expect(text).not.toContain('canary');
      expect(readFileSync(join(work, 'plain'), 'utf8')).toBe('made\n');
      expect(existsSync(join(work, 'lib/.git/hooks/pre-commit'))).toBe(false);
      for (const name of ['.vscode/tasks.json', '.git', '.bulkhead', 'away', 'other'])
        expect(existsSync(join(work, name)), name).toBe(false);
    },
  );

  it.runIf(works)('is told of what it made that others obey, in deeper folders [FT14]', async () => {
    const { text } = await run(make(), 'mkdir -p sub/.git/hooks; echo x > sub/.envrc');
    expect(text).toMatch(
      /^\[WARNING: since it began this appeared.*: (sub\/\.git, sub\/\.envrc|sub\/\.envrc, sub\/\.git)/m,
    );
    expect((await run(make(), 'echo x > plain')).text).toMatch(
      /^\[lib\/\.env: may hold credentials[^\n]*\]$/,
    );
  });

  it.runIf(works)('that says what a maker of boxes would say is still a command', async () => {
    const { text } = await run(make(), 'echo "bulkhead-launcher: no" >&2; exit 125');
    expect(text).toMatch(/^bulkhead-launcher: no\n\[exit code 125\]\n\[lib\/\.env: may hold/);
  });
});

describe('a box that can’t be made', () => {
  it('is no failure of the command: it says that nothing ran [A4]', async () => {
    const fails: CommandBox = {
      kind: 'bwrap',
      launch: (_box, program) =>
        spawn('/bin/sh', ['-c', 'echo "bwrap: no permission" >&2; exit 1'], { stdio: program.stdio }),
    };
    expect(await run(fails, 'touch made')).toEqual({
      text: 'the box could not be set up: bwrap: no permission; the command did not run',
      isError: true,
    });
  });
});

describe.runIf(hasBubblewrap)('limits of a box of bwrap', () => {
  it('are those of the launcher’s: memory, processor time, file size, core files [B2]', async () => {
    const { text } = await run(bubblewrapBox(), 'ulimit -c; ulimit -d; ulimit -t; ulimit -f; ulimit -n');
    const [core, data, time, size, files] = text.trim().split('\n').map(Number);
    expect([core, data, time, size, files]).toEqual([0, 8 * 1024 ** 2, 1_200, 4 * 1024 ** 2, 1_024]);
  });
});

describe('watchFreeSpace', () => {
  it('says once that a disk has less room than must be left, and not before', async () => {
    const waits: { readonly ms: number; run(): void }[] = [];
    const timers = {
      after(ms: number, run: () => void) {
        waits.push({ ms, run });
        return { [Symbol.dispose]: () => {} };
      },
    };
    const full: string[] = [];
    using _enough = watchFreeSpace({ folder: root, minFreeBytes: 1, timers }, () => full.push('enough'));
    waits.shift()?.run();
    expect([full, waits.length]).toEqual([[], 1]);
    waits.splice(0);
    using _never = watchFreeSpace({ folder: root, minFreeBytes: 2 ** 60, timers }, () => full.push('never'));
    waits.shift()?.run();
    expect([full, waits.length]).toEqual([['never'], 0]);
  });
});
