import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
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

/** Leaves a daemon behind, double-forked and in its own session, that writes to `beat` forever. */
const DAEMON = `echo 0 > beat; (setsid bash -c '(echo $BASHPID > daemon; while :; do echo x >> beat; sleep 0.02; done) &' &);`;
const DEATH_MILLISECONDS = 1000;
/** Far more than a start takes on a busy machine. */
const HANG_MILLISECONDS = 60_000;

const size = () => (existsSync(`${fixture.work}/beat`) ? statSync(`${fixture.work}/beat`).size : 0);

async function beats(): Promise<boolean> {
  const before = size();
  return eventually(() => size() > before + 4, 300);
}

function launcher(): { file: string; args: string[] } {
  return { file: '/bin/bash', args: ['-c', `${DAEMON} sleep 600`] };
}

function startBox(): ChildProcess {
  const program = { ...launcher(), cwd: fixture.work, env: { PATH: '/usr/bin:/bin' } };
  return fixture.sandbox.launch(fixture.shellBox(), { ...program, stdio: 'ignore' });
}

/** A separate process that launches, so that it can be killed. */
function startLaunchingProcess(
  box: Box,
  file: string,
  args: readonly string[],
  nameSpaces = true,
): ChildProcess {
  const request = {
    packageRoot,
    nameSpaces,
    scratch: fixture.folder,
    launch: { box, file, args, cwd: fixture.work },
  };
  const driver = fileURLToPath(new URL('testing/launch-and-wait.ts', import.meta.url));
  return spawn(process.execPath, [driver, JSON.stringify(request)], { stdio: ['ignore', 'pipe', 'inherit'] });
}

function nodeLine(script: string): [file: string, args: string[]] {
  const { file, args } = nodeProgram(script);
  return [file, args];
}

/** Living processes with `word` among their arguments. */
function processesRunning(word: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word) && isAlive(pid);
    } catch {
      return false;
    }
  });
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
    const shell = spawn('/bin/bash', ['-c', `${DAEMON} sleep 600`], { cwd: fixture.work, stdio: 'ignore' });
    expect(await eventually(beats, HANG_MILLISECONDS)).toBe(true);
    shell.kill('SIGKILL');
    await once(shell, 'exit');
    expect(await eventually(beats, HANG_MILLISECONDS)).toBe(true);
    process.kill(Number(readFileSync(`${fixture.work}/daemon`, 'utf8')), 'SIGKILL');
    expect(await eventually(async () => !(await beats()), HANG_MILLISECONDS)).toBe(true);
    await rm(`${fixture.work}/beat`);
  });

  it('comes with the launcher: SIGKILL leaves no daemon after a second [FT07]', async () => {
    const child = startBox();
    expect(await eventually(beats, HANG_MILLISECONDS)).toBe(true);
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
    expect(await eventually(beats, HANG_MILLISECONDS)).toBe(true);
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
    expect(await eventually(beats, HANG_MILLISECONDS)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await eventually(async () => !(await beats()), DEATH_MILLISECONDS)).toBe(true);
  });

  it.each([
    ['agent', false],
    ['agent', true],
    ['worker', false],
    ['worker', true],
  ] as const)(
    'of kind %s, name spaces %s, comes with the launching process [FT07]',
    async (kind, nameSpaces) => {
      const script = await fixture.script(`console.log(process.pid); setInterval(() => {}, 1000);`);
      const box: Box =
        kind === 'agent'
          ? { kind, read: [script] }
          : { kind, read: [script], write: [fixture.work], execute: [] };
      const { file, args } = nodeProgram(script);
      const parent = startLaunchingProcess(box, file, args, nameSpaces);
      if (parent.stdout === null) throw new Error('no stdout');
      const [line] = await once(parent.stdout, 'data');
      const inside = Number(String(line));
      const pids = processesRunning(script).filter((pid) => pid !== parent.pid);
      expect(nameSpaces ? inside : pids).toEqual(nameSpaces ? 1 : [inside]);
      expect(pids).toHaveLength(nameSpaces ? 2 : 1);
      parent.kill('SIGKILL');
      await once(parent, 'exit');
      expect(await eventually(() => !pids.some(isAlive), DEATH_MILLISECONDS)).toBe(true);
    },
  );

  it('of a worker takes its children along, which outlive a worker without name spaces [FT07]', async () => {
    const script = await fixture.script(`
      import { spawn } from 'node:child_process';
      spawn(process.execPath, [...process.execArgv, '-e', 'setInterval(() => {}, 1000)', '${fixture.work}/orphan'],
        { stdio: ['ignore', 'inherit', 'inherit'], detached: true }).on('spawn', () => console.log('started'));`);
    const box: Box = { kind: 'worker', read: [script], write: [fixture.work], execute: [process.execPath] };
    const end = async (nameSpaces: boolean) => {
      const parent = startLaunchingProcess(box, ...nodeLine(script), nameSpaces);
      if (parent.stdout === null) throw new Error('no stdout');
      await once(parent.stdout, 'data');
      const children = processesRunning(`${fixture.work}/orphan`);
      expect(children).toHaveLength(1);
      parent.kill('SIGKILL');
      await once(parent, 'exit');
      const gone = await eventually(() => !children.some(isAlive), nameSpaces ? DEATH_MILLISECONDS : 300);
      for (const child of children.filter(isAlive)) process.kill(child, 'SIGKILL');
      return gone;
    };
    expect(await end(false), 'control').toBe(false);
    expect(await end(true)).toBe(true);
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'comes with the launcher of a boxed Node: %s [FT07]',
    async (signal) => {
      const script = await fixture.script(`console.log('up'); setInterval(() => {}, 1000);`);
      const child = fixture.sandbox.launch(
        { kind: 'agent', read: [script] },
        { ...nodeProgram(script), cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'inherit'] },
      );
      if (child.stdout === null) throw new Error('no stdout');
      await once(child.stdout, 'data');
      const pids = processesRunning(script);
      expect(pids).toHaveLength(2);
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([null, signal]);
      expect(await eventually(() => !pids.some(isAlive), DEATH_MILLISECONDS)).toBe(true);
    },
  );

  it.each([
    ['a status', 'process.exit(7)', [7, null]],
    ['a signal', 'process.abort()', [null, expect.stringMatching(/^SIG(ABRT|SEGV|TRAP)$/)]],
  ])('passes on %s that a boxed Node ended with', async (_, body, end) => {
    const script = await fixture.script(body);
    const child = fixture.sandbox.launch(
      { kind: 'agent', read: [script] },
      { ...nodeProgram(script), cwd: '/', env: {}, stdio: 'ignore' },
    );
    expect(await once(child, 'exit')).toEqual(end);
  });
});
