import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Box } from './box.ts';
import {
  type BoxFixture,
  boxFixture,
  eventually,
  inShell,
  nodeProgram,
  packageRoot,
} from './testing/box-fixture.ts';

let fixture: BoxFixture;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

/** Leaves a daemon behind, double-forked and in a session of its own, that writes to `beat` for ever. */
const DAEMON = `echo 0 > beat; (setsid bash -c '(echo $BASHPID > daemon; while :; do echo x >> beat; sleep 0.02; done) &' &);`;
const DEATH_MILLISECONDS = 1000;

const size = () => (existsSync(`${fixture.work}/beat`) ? statSync(`${fixture.work}/beat`).size : 0);

async function beats(): Promise<boolean> {
  const before = size();
  return eventually(() => size() > before + 4, 300);
}

function launcher(): { file: string; args: string[] } {
  return { file: '/bin/bash', args: ['-c', `${DAEMON} sleep 30`] };
}

function startBox(): ChildProcess {
  const program = { ...launcher(), cwd: fixture.work, env: { PATH: '/usr/bin:/bin' } };
  return fixture.sandbox.launch(fixture.shellBox(), { ...program, stdio: 'ignore' });
}

/** A process of its own that launches, so that it can be killed. */
function startLaunchingProcess(box: Box, file: string, args: readonly string[]): ChildProcess {
  const request = { packageRoot, scratch: fixture.folder, launch: { box, file, args, cwd: fixture.work } };
  const driver = fileURLToPath(new URL('testing/launch-and-wait.ts', import.meta.url));
  return spawn(process.execPath, [driver, JSON.stringify(request)], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** A dead process that its new parent has not yet collected counts as dead. */
function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('the end of a box', () => {
  it('control: unboxed, such a daemon outlives the shell that started it', async () => {
    const shell = spawn('/bin/bash', ['-c', `${DAEMON} sleep 30`], { cwd: fixture.work, stdio: 'ignore' });
    expect(await eventually(beats, 8000)).toBe(true);
    shell.kill('SIGKILL');
    await once(shell, 'exit');
    expect(await eventually(beats, DEATH_MILLISECONDS)).toBe(true);
    process.kill(Number(readFileSync(`${fixture.work}/daemon`, 'utf8')), 'SIGKILL');
    expect(await eventually(async () => !(await beats()), 2000)).toBe(true);
    await rm(`${fixture.work}/beat`);
  });

  it('comes with the launcher: SIGKILL leaves no daemon after a second [FT07]', async () => {
    const child = startBox();
    expect(await eventually(beats, 8000)).toBe(true);
    child.kill('SIGKILL');
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    expect(await eventually(async () => !(await beats()), DEATH_MILLISECONDS)).toBe(true);
  });

  it('comes with the launching process: its SIGKILL leaves no daemon after a second [FT07]', async () => {
    const { file, args } = launcher();
    const parent = startLaunchingProcess(fixture.shellBox(), file, [
      '-c',
      `PATH=/usr/bin:/bin; ${args[1] ?? ''}`,
    ]);
    expect(await eventually(beats, 10_000)).toBe(true);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    expect(await eventually(async () => !(await beats()), DEATH_MILLISECONDS)).toBe(true);
  });

  it('comes with the command: what it left in the background is gone [FT07]', async () => {
    const run = await inShell(fixture, `${DAEMON} sleep 0.2; exit 3`);
    expect(run.code).toBe(3);
    expect(size()).toBeGreaterThan(2);
    expect(await eventually(async () => !(await beats()), DEATH_MILLISECONDS)).toBe(true);
  });

  it('cannot be put off by a command that ignores signals or attacks its init [FT07]', async () => {
    const child = fixture.sandbox.launch(fixture.shellBox(), {
      file: '/bin/bash',
      args: ['-c', `trap '' TERM INT HUP; kill -9 1; kill -STOP 1; ${DAEMON} while :; do sleep 1; done`],
      cwd: fixture.work,
      env: { PATH: '/usr/bin:/bin' },
      stdio: 'ignore',
    });
    expect(await eventually(beats, 8000)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await eventually(async () => !(await beats()), DEATH_MILLISECONDS)).toBe(true);
  });

  it.each(['agent', 'worker'] as const)('of kind %s comes with the launching process', async (kind) => {
    const script = await fixture.script(`console.log(process.pid); setInterval(() => {}, 1000);`);
    const box: Box =
      kind === 'agent'
        ? { kind, read: [script] }
        : { kind, read: [script], write: [fixture.work], execute: [] };
    const { file, args } = nodeProgram(script);
    const parent = startLaunchingProcess(box, file, args);
    if (parent.stdout === null) throw new Error('no stdout');
    const [line] = await once(parent.stdout, 'data');
    const pid = Number(String(line));
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    expect(await eventually(() => !isAlive(pid), DEATH_MILLISECONDS)).toBe(true);
  });
});
