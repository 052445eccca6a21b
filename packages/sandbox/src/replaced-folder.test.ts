import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Box } from './box.ts';
import { launcherArguments } from './launcher-arguments.ts';
import {
  attempt,
  type BoxFixture,
  boxFixture,
  type Finished,
  finished,
  nodeProgram,
} from './testing/box-fixture.ts';

let fixture: BoxFixture;
let granted: string;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});
beforeEach(async () => {
  granted = `${fixture.work}/parent/granted`;
  await rm(`${fixture.work}/parent`, { recursive: true, force: true });
  await rm(`${fixture.outside}/granted`, { recursive: true, force: true });
  await mkdir(granted, { recursive: true });
  await mkdir(`${fixture.outside}/granted`);
});

/** An attacker's change of the checked path before the launch. */
const attacks: readonly (readonly [string, () => Promise<void>])[] = [
  [
    'the folder is a link',
    async () => {
      await rm(granted, { recursive: true });
      await symlink(`${fixture.outside}/granted`, granted);
    },
  ],
  [
    'a folder above it is a link',
    async () => {
      await rm(`${fixture.work}/parent`, { recursive: true });
      await symlink(fixture.outside, `${fixture.work}/parent`);
    },
  ],
  [
    'the link leads to the folder itself',
    async () => {
      await rename(granted, `${fixture.work}/parent/moved`);
      await symlink('moved', granted);
    },
  ],
];

function shell(changes: { cwd?: string; workingFolder?: string } = {}): Promise<Finished> {
  const { cwd = granted, workingFolder = granted } = changes;
  const child = fixture.sandbox.launch(fixture.shellBox({ workingFolder }), {
    file: '/bin/bash',
    args: ['-c', `echo ran; echo ran > ${granted}/ran`],
    cwd,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return finished(child);
}

const workerBox = (write: string): Box => ({ kind: 'worker', read: [], write: [write], execute: [] });

async function worker(): Promise<Finished> {
  const script = `${fixture.outside}/script.mjs`;
  await writeFile(
    script,
    attempt(`fs.writeFileSync(${JSON.stringify(`${granted}/ran`)}, 'ran'); return 'ran'`),
  );
  const box: Box = { kind: 'worker', read: [script], write: [granted], execute: [] };
  const program = { ...nodeProgram(script), cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'pipe'] as const };
  return finished(fixture.sandbox.launch(box, { ...program, stdio: [...program.stdio] }));
}

function expectRefusal(run: Finished, path = granted): void {
  const stderr = `bulkhead-launcher: open without links ${path}: errno 40\n`;
  expect(run).toMatchObject({ code: 125, stdout: '', stderr });
  expect(existsSync(`${granted}/ran`)).toBe(false);
  expect(readdirSync(`${fixture.outside}/granted`)).toEqual([]);
}

describe('a folder that was replaced between the check and the launch', () => {
  it('is a plain folder: both boxes write it', async () => {
    expect(await shell()).toMatchObject({ code: 0, stdout: 'ran\n', stderr: '' });
    expect(await readFile(`${granted}/ran`, 'utf8')).toBe('ran\n');
    expect(await worker()).toMatchObject({ code: 0, stdout: 'did ran\n' });
    expect(await readFile(`${granted}/ran`, 'utf8')).toBe('ran');
  });

  it.each(attacks)('runs nothing in a shell box: %s', async (_, attack) => {
    await attack();
    expectRefusal(await shell({ cwd: '/' }));
    expectRefusal(await shell());
  });

  it.each(attacks)('runs nothing in a worker box: %s', async (_, attack) => {
    await attack();
    expectRefusal(await worker());
  });

  it.each(attacks)('runs nothing where a shell command would start: %s', async (_, attack) => {
    expect(await shell({ workingFolder: fixture.work })).toMatchObject({ code: 0, stdout: 'ran\n' });
    await rm(`${granted}/ran`);
    await attack();
    expectRefusal(await shell({ workingFolder: fixture.work }));
  });

  it('runs nothing for a link of the process file system', async () => {
    const path = '/proc/self/cwd';
    const args = ['run', 'worker', '--write', path, '--', fixture.launcherPath, 'version'];
    const child = spawn(fixture.launcherPath, args, { cwd: granted, stdio: ['ignore', 'pipe', 'pipe'] });
    expectRefusal(await finished(child), path);
  });

  it('is found out where the kernel lacks the call for it', async (context) => {
    if (spawnSync('strace', ['-V']).status !== 0)
      return context.skip('strace is not here to make the call missing');
    const start = (write: string) => {
      const args = launcherArguments({
        mode: 'run',
        box: workerBox(write),
        parent: 1,
        descriptors: 3,
        cwd: '/',
        runtimeFiles: [],
        command: [fixture.launcherPath, 'version'],
      }).filter((argument, index, all) => argument !== '--parent' && all[index - 1] !== '--parent');
      const missing = ['-f', '-qq', '-o', `${fixture.folder}/strace.log`, '-e', 'trace=openat2'];
      const command = [...missing, '-e', 'inject=openat2:error=ENOSYS', fixture.launcherPath, ...args];
      return finished(spawn('strace', command, { stdio: ['ignore', 'pipe', 'pipe'] }));
    };
    expect(await start(granted)).toMatchObject({ code: 0, stdout: 'bulkhead-launcher 1\n' });
    expect(await readFile(`${fixture.folder}/strace.log`, 'utf8')).toContain('(INJECTED)');
    expect(await start('/')).toMatchObject({ code: 0 });
    for (const [name, attack] of attacks) {
      await rm(`${fixture.work}/parent`, { recursive: true, force: true });
      await mkdir(granted, { recursive: true });
      await attack();
      const run = await start(granted);
      expect(run.code, name).toBe(125);
      expectRefusal(run);
    }
  });

  it('may be a link where it is only read', async () => {
    await writeFile(`${fixture.outside}/granted/text`, 'text');
    await rm(granted, { recursive: true });
    await symlink(`${fixture.outside}/granted`, granted);
    const run = await finished(
      fixture.sandbox.launch(
        fixture.shellBox({ readOnly: [granted], workingFolder: `${fixture.folder}/home`, home: '/nowhere' }),
        {
          file: '/bin/bash',
          args: ['-c', `cat ${granted}/text`],
          cwd: '/',
          env: { PATH: '/usr/bin:/bin' },
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      ),
    );
    expect(run).toMatchObject({ code: 0, stdout: 'text', stderr: '' });
  });
});
