import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from './create-sandbox.ts';
import {
  type BoxFixture,
  boxFixture,
  finished,
  inShell,
  NOBODY,
  packageRoot,
} from './testing/box-fixture.ts';

const HOLDS = { ok: true, failed: [], walls: ['landlock', 'seccomp', 'namespaces'] };
const SHELL_HOLDS = { ok: true, failed: [], walls: ['namespaces', 'seccomp'] };
const NO_SPACES = { agent: false, worker: false };
const DRIVER = fileURLToPath(new URL('testing/launch-and-wait.ts', import.meta.url));

let fixture: BoxFixture;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

describe('probes', () => {
  it('hold in every box of this machine and leave nothing behind [D5] [FT02] [FT04]', async () => {
    const before = readdirSync(fixture.folder);
    expect(await fixture.sandbox.probe()).toEqual({
      ok: true,
      landlockAbi: expect.any(Number),
      boxes: { agent: HOLDS, worker: HOLDS, shell: SHELL_HOLDS },
    });
    expect(readdirSync(fixture.folder)).toEqual(before);
  });

  it('hold for an ordinary user as well, and his files are his [D5]', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('not root: the other tests ran as an ordinary user');
    const user = { uid: NOBODY, gid: NOBODY };
    const readable = spawnSync(
      process.execPath,
      ['-e', `require('fs').accessSync(${JSON.stringify(DRIVER)})`],
      user,
    );
    if (readable.status !== 0) return context.skip('an ordinary user cannot read this repository');
    const scratch = `${fixture.folder}/ordinary`;
    await mkdir(scratch);
    spawnSync('chown', [String(NOBODY), scratch]);
    const request = JSON.stringify({ packageRoot, scratch });
    const driver = spawn(process.execPath, [DRIVER, request], {
      ...user,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {},
    });
    const run = await finished(driver);
    expect(run.stdout, run.stderr).not.toBe('');
    expect(JSON.parse(run.stdout)).toEqual({
      ok: true,
      landlockAbi: expect.any(Number),
      boxes: { agent: HOLDS, worker: HOLDS, shell: SHELL_HOLDS },
    });
    const launch = {
      box: fixture.shellBox({ workingFolder: scratch }),
      file: '/bin/bash',
      args: ['-c', 'id -u > mine; stat -c "%u %g" mine; cat mine; ulimit -u'],
      cwd: scratch,
    };
    const shell = spawn(process.execPath, [DRIVER, JSON.stringify({ packageRoot, scratch, launch })], {
      ...user,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {},
    });
    expect(await finished(shell)).toMatchObject({
      stdout: `${NOBODY} ${NOBODY}\n${NOBODY}\n512\n`,
      stderr: '',
    });
  });

  it('fail, and say why, where boxes cannot be made', async () => {
    const broken = createSandbox({
      launcherPath: '/bin/false',
      nodePath: process.execPath,
      runtimeFiles: fixture.runtimeFiles,
      nameSpaces: NO_SPACES,
      scratch: fixture.folder,
    });
    const report = await broken.probe();
    expect(report.ok).toBe(false);
    expect(report.boxes.agent).toMatchObject({
      ok: false,
      failed: [],
      reason: expect.stringContaining('ended early (1)'),
    });
  });

  it('notice a grant that is too wide', async () => {
    const wide = createSandbox({
      launcherPath: fixture.launcherPath,
      nodePath: process.execPath,
      runtimeFiles: [...fixture.runtimeFiles, fixture.folder],
      nameSpaces: NO_SPACES,
      scratch: fixture.folder,
    });
    const report = await wide.probe();
    expect(report.ok).toBe(false);
    expect(report.boxes.agent.failed).toEqual(['read-secret', 'list-closed']);
    expect(report.boxes.worker.failed).toEqual(['read-secret', 'list-closed']);
    expect(report.boxes.shell).toEqual(SHELL_HOLDS);
  });

  it('count a control that does not work outside as a failure', async () => {
    const args = ['probe', 'agent', '--parent', String(process.pid), '--read', fixture.secret];
    const aims = ['--probe-secret', '/no/such/secret', '--probe-file', fixture.secret, '--'];
    const run = await finished(
      spawn(fixture.launcherPath, [...args, ...aims], { stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(/^read-secret FAIL inside: errno 2, control: errno 2$/m);
    expect(run.stdout).toMatch(/^read-granted ok$/m);
    expect(run.stdout).toMatch(/^connect-host FAIL /m);
  });

  it.for(['agent', 'worker'])(
    'hold for %s where the kernel knows only older Landlock rights [FR2]',
    async (kind, context) => {
      if (spawnSync('strace', ['-V']).status !== 0)
        return context.skip('strace is not here to play an older kernel');
      const program = `${fixture.outside}/program`;
      await copyFile(fixture.launcherPath, program);
      await writeFile(`${fixture.folder}/file`, 'readable');
      const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : 0;
      const changing = [
        '--write',
        fixture.work,
        '--execute',
        fixture.launcherPath,
        '--probe-folder',
        fixture.work,
      ];
      const more = kind === 'agent' ? [] : [...changing, '--probe-allowed', fixture.launcherPath];
      const aims = [
        '--probe-secret',
        fixture.secret,
        '--probe-closed',
        fixture.outside,
        '--probe-program',
        program,
      ];
      const granted = ['--read', `${fixture.folder}/file`, '--probe-file', `${fixture.folder}/file`];
      const args = ['probe', kind, ...granted, ...more, ...aims, '--probe-port', String(port), '--'];
      for (const version of [1, 2, 3, 4, 5]) {
        // The first of these calls asks for the version.
        const answer = `inject=landlock_create_ruleset:retval=${version}:when=1`;
        const quiet = ['-f', '-qq', '-o', '/dev/null', '-e', 'trace=landlock_create_ruleset', '-e', answer];
        const stdio = ['ignore', 'pipe', 'pipe'] as const;
        const run = await finished(
          spawn('strace', [...quiet, fixture.launcherPath, ...args], { stdio: [...stdio] }),
        );
        expect(run.stdout.match(/^.* FAIL .*$/gm), `version ${version}`).toBeNull();
        expect(run.code, run.stderr).toBe(0);
      }
      server.close();
    },
  );

  it('see a program of a foreign architecture killed [FT04]', async (context) => {
    if (process.arch !== 'x64') return context.skip('only x86_64 has a second way into the kernel');
    const start = (options: readonly string[]) => {
      const args = ['probe', 'agent', '--parent', String(process.pid), ...options, '--'];
      return finished(spawn(fixture.launcherPath, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
    };
    expect(await start([])).toMatchObject({ signal: null });
    // A kernel without the second way ends every program that tries it, inside a box or not.
    const program = `${fixture.outside}/foreign`;
    await writeFile(program, foreignCall(), { mode: 0o700 });
    const control = await finished(spawn(program, [], { stdio: ['ignore', 'pipe', 'pipe'] }));
    const signal = control.signal === null ? 'SIGSYS' : control.signal;
    expect([null, 'SIGSEGV']).toContain(control.signal);
    expect(await start(['--probe-foreign'])).toMatchObject({ signal });
  });

  it('fail inside a box, where no second box can be made', async () => {
    const line = `${fixture.launcherPath} probe shell --work ${fixture.work} --home /nowhere --cwd / --`;
    const run = await inShell(fixture, line, { readOnly: [fixture.launcherPath] });
    expect(run.code).toBe(125);
  });
});

/** An x86_64 program that ends by the exit call of 32-bit programs (`int 0x80`). */
function foreignCall(): Buffer {
  const code = [0xb8, 1, 0, 0, 0, 0x31, 0xdb, 0xcd, 0x80];
  const base = 0x400000n;
  const start = 0x78;
  const file = Buffer.alloc(start + code.length);
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  file.writeUInt16LE(2, 16);
  file.writeUInt16LE(0x3e, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(base + BigInt(start), 24);
  file.writeBigUInt64LE(0x40n, 32);
  file.writeUInt16LE(0x40, 52);
  file.writeUInt16LE(0x38, 54);
  file.writeUInt16LE(1, 56);
  // One segment: the whole file, readable and executable.
  file.writeUInt32LE(1, 0x40);
  file.writeUInt32LE(5, 0x44);
  file.writeBigUInt64LE(base, 0x50);
  file.writeBigUInt64LE(base, 0x58);
  file.writeBigUInt64LE(BigInt(file.length), 0x60);
  file.writeBigUInt64LE(BigInt(file.length), 0x68);
  file.writeBigUInt64LE(0x1000n, 0x70);
  file.set(code, start);
  return file;
}
