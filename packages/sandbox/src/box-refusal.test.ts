import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { BulkheadError } from '@bulkhead/protocol';
import { sweepOf } from '@bulkhead/testkit/sweep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Box } from './box.ts';
import { launcherArguments } from './launcher-arguments.ts';
import {
  type BoxFixture,
  boxFixture,
  type Finished,
  finished,
  inShell,
  unboxedShell,
} from './testing/box-fixture.ts';

let fixture: BoxFixture;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

/**
 * The launcher's command line for `box`, around the launcher printing its version. Names no parent.
 */
function around(box: Box, nameSpaces = false): string[] {
  const args = launcherArguments({
    mode: 'run',
    box,
    parent: 1,
    descriptors: 3,
    cwd: '/',
    nameSpaces,
    runtimeFiles: [],
    command: [fixture.launcherPath, 'version'],
  });
  return args.filter((_, index) => args[index] !== '--parent' && args[index - 1] !== '--parent');
}

const agent: Box = { kind: 'agent', read: [] };
const shell = (): Box => fixture.shellBox({ readOnly: [fixture.launcherPath] });

/**
 * Runs the launcher with the `nth` call of `name` failing; reports whether the call was reached.
 */
async function withFault(
  args: readonly string[],
  name: string,
  nth: number,
): Promise<{ run: Finished; reached: boolean }> {
  const log = `${fixture.folder}/strace.log`;
  rmSync(log, { force: true });
  const inject = [
    '-f',
    '-qq',
    '-o',
    log,
    '-e',
    `trace=${name}`,
    '-e',
    `inject=${name}:error=EPERM:when=${nth}`,
  ];
  const run = await finished(
    spawn('strace', [...inject, fixture.launcherPath, ...args], { stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  return { run, reached: readFileSync(log, 'utf8').includes('(INJECTED)') };
}

/**
 * Fails the first calls of each name and then some of the others (all first eight and each fifth in
 * the whole sweep); returns those after which the program still ran.
 */
async function unnoticedFaults(
  args: readonly string[],
  names: readonly string[],
): Promise<{ tried: number; unnoticed: string[] }> {
  const unnoticed: string[] = [];
  let tried = 0;
  for (const name of names) {
    for (let nth = 1; ; nth += nth < sweepOf(2, 8) ? 1 : sweepOf(11, 5)) {
      const { run, reached } = await withFault(args, name, nth);
      if (!reached) break;
      tried += 1;
      const held = run.code === 125 && run.stdout === '' && /^bulkhead-launcher: .+\n$/.test(run.stderr);
      if (!held) unnoticed.push(`${name} ${nth}: ${run.code} ${run.stderr}`);
    }
  }
  return { tried, unnoticed };
}

describe('a box that cannot be made', () => {
  it('runs nothing where name spaces are refused: status 125 and one line [FT06]', async () => {
    const nested = (mark: string) =>
      [fixture.launcherPath, ...around(shell())].slice(0, -2).join(' ') +
      ` /bin/bash -c 'echo ran > ${fixture.work}/${mark}'`;
    expect((await unboxedShell(fixture, nested('control'))).code).toBe(0);
    expect(existsSync(`${fixture.work}/control`)).toBe(true);
    const run = await inShell(fixture, nested('attack'), { readOnly: [fixture.launcherPath] });
    expect(run).toMatchObject({ code: 125, stderr: 'bulkhead-launcher: make name spaces: errno 1\n' });
    expect(existsSync(`${fixture.work}/attack`)).toBe(false);
  });

  it('runs nothing where Landlock is refused [FT06]', async () => {
    const command = { file: fixture.launcherPath, args: around(agent), cwd: '/', env: {} };
    const control = spawn(command.file, command.args, { stdio: ['ignore', 'pipe', 'pipe'] });
    expect(await finished(control)).toMatchObject({ code: 0, stdout: 'bulkhead-launcher 1\n' });
    const box: Box = { kind: 'worker', read: [], write: [], execute: [] };
    const inner = fixture.sandbox.launch(box, { ...command, stdio: ['ignore', 'pipe', 'pipe'] });
    const run = await finished(inner);
    expect(run).toMatchObject({ code: 125, stdout: '' });
    expect(run.stderr).toMatch(/^bulkhead-launcher: .+: errno 1\n$/);
  });

  it('notices the failure of any step, whichever call fails [FT06]', async (context) => {
    if (spawnSync('strace', ['-V']).status !== 0)
      return context.skip('strace is not here to make calls fail');
    const both = ['prctl', 'capset', 'prlimit64', 'seccomp', 'openat', 'statx'];
    const node = [
      'landlock_create_ruleset',
      'landlock_add_rule',
      'landlock_restrict_self',
      'dup3',
      'execveat',
    ];
    const mounts = [
      'mount',
      'pivot_root',
      'umount2',
      'mount_setattr',
      'open_tree',
      'move_mount',
      'openat2',
      'symlinkat',
    ];
    const spaces = [
      'clone',
      'pipe2',
      'ppoll',
      'sethostname',
      'socket',
      'ioctl',
      'chdir',
      'fchdir',
      'mkdirat',
    ];
    expect((await withFault(around(agent), 'seccomp', 2)).run.stdout, 'control').toBe(
      'bulkhead-launcher 1\n',
    );
    const inAgent = await unnoticedFaults(around(agent), ['close_range', ...both, ...node]);
    expect(inAgent.unnoticed).toEqual([]);
    expect(inAgent.tried).toBeGreaterThan(sweepOf(10, 15));
    const worker: Box = { kind: 'worker', read: [], write: [fixture.work], execute: [] };
    const inWorker = await unnoticedFaults(around(worker), ['openat2', 'landlock_add_rule']);
    expect(inWorker.unnoticed).toEqual([]);
    expect(inWorker.tried).toBeGreaterThan(sweepOf(1, 2));
    const inBox = await unnoticedFaults(around(shell()), [...both, ...mounts, ...spaces]);
    expect(inBox.unnoticed).toEqual([]);
    expect(inBox.tried).toBeGreaterThan(sweepOf(25, 60));
  });

  it('notices it also while it makes name spaces: it never goes on without them [FT06]', async (context) => {
    if (spawnSync('strace', ['-V']).status !== 0)
      return context.skip('strace is not here to make calls fail');
    const worker: Box = { kind: 'worker', read: ['/etc/passwd'], write: [fixture.work], execute: [] };
    const spaces = ['clone', 'pipe2', 'ppoll', 'prctl', 'capset', 'sethostname', 'getcwd', 'getrandom'];
    const root = ['mount', 'pivot_root', 'umount2', 'mount_setattr', 'open_tree', 'move_mount', 'openat2'];
    const common = ['openat', 'statx', 'chdir', 'fchdir', 'mkdirat', 'dup3', 'prlimit64'];
    const walls = [
      'landlock_create_ruleset',
      'landlock_add_rule',
      'landlock_restrict_self',
      'seccomp',
      'execveat',
    ];
    const control = await withFault(around(worker, true), 'seccomp', 2);
    expect(control.run.stdout, 'control').toBe('bulkhead-launcher 1\n');
    const found = await unnoticedFaults(around(worker, true), [...spaces, ...root, ...common, ...walls]);
    expect(found.unnoticed).toEqual([]);
    expect(found.tried).toBeGreaterThan(sweepOf(25, 60));
    // The three files of the user's and the group's numbers; the fourth write is the program's own.
    for (const nth of [1, 2, 3]) {
      expect((await withFault(around(worker, true), 'write', nth)).run).toMatchObject({
        code: 125,
        stdout: '',
      });
    }
  });

  it('is refused for a parent that is not the caller: it could not die with it', async () => {
    const args = ['run', 'agent', '--parent', String(process.ppid), '--', fixture.launcherPath, 'version'];
    const run = await finished(spawn(fixture.launcherPath, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
    expect(run).toMatchObject({ code: 125, stdout: '', stderr: 'bulkhead-launcher: parent is gone\n' });
  });

  it.each([
    ['an unknown option', ['run', 'agent', '--wide-open', '--', '/bin/true']],
    ['an option of another box', ['run', 'agent', '--write', '/', '--', '/bin/true']],
    ['an option given twice', ['run', 'agent', '--fds', '3', '--fds', '9', '--', '/bin/true']],
    ['an unknown box', ['run', 'open', '--', '/bin/true']],
    ['no separator', ['run', 'agent', '--read', '/usr']],
    ['a missing value', ['run', 'agent', '--read']],
    ['a relative path', ['run', 'agent', '--read', 'usr', '--', '/bin/true']],
    ['a relative program', ['run', 'agent', '--', 'true']],
    ['no program', ['run', 'agent', '--']],
    ['a missing file', ['run', 'agent', '--read', '/no/such/file', '--', '/bin/true']],
    ['a shell without a folder', ['run', 'shell', '--', '/bin/true']],
    ['too many descriptors', ['run', 'agent', '--fds', '65', '--', '/bin/true']],
    ['a script for a program', ['run', 'agent', '--', '/etc/passwd']],
  ])('is refused for %s', async (_, args) => {
    const run = await finished(spawn(fixture.launcherPath, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
    expect(run).toMatchObject({ code: 125, stdout: '' });
    expect(run.stderr).toMatch(/^bulkhead-launcher: .+\n$/);
  });

  it('is refused with an ipc channel, which Node announces in the environment', () => {
    const program = { file: process.execPath, args: [], cwd: '/', env: {} };
    const launch = () =>
      fixture.sandbox.launch(agent, { ...program, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    expect(launch).toThrow(BulkheadError);
  });

  it('is refused for a path outside the working folder, before anything starts', () => {
    const program = { file: '/bin/bash', args: [], cwd: '/', env: {}, stdio: 'ignore' } as const;
    const launch = (changes: Parameters<BoxFixture['shellBox']>[0]) => () =>
      fixture.sandbox.launch(fixture.shellBox(changes), program);
    const wrong = [
      { protect: ['/etc/passwd'] },
      { hide: [fixture.work] },
      { home: fixture.work },
      { workingFolder: '/' },
    ];
    for (const changes of [...wrong, { readOnly: ['/usr/../etc'] }, { readOnly: ['relative'] }]) {
      expect(launch(changes), JSON.stringify(changes)).toThrow(BulkheadError);
    }
  });
});
