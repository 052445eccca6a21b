import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acquireLock } from './lock.mjs';

const NEVER = new AbortController().signal;
let folder: string;
let lock: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-lock-'));
  lock = join(folder, 'the.lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('is held by one process at a time', async () => {
  const log = join(folder, 'log');
  writeFileSync(log, '');
  const program = `
    import { appendFileSync } from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { acquireLock } from ${JSON.stringify(join(import.meta.dirname, 'lock.mjs'))};
    for (let i = 0; i < 4; i += 1) {
      const lock = await acquireLock(${JSON.stringify(lock)}, { onWait() {}, signal: new AbortController().signal });
      appendFileSync(${JSON.stringify(log)}, 'in ' + process.pid + '\\n');
      await sleep(5);
      appendFileSync(${JSON.stringify(log)}, 'out ' + process.pid + '\\n');
      lock.release();
    }`;
  const codes = await Promise.all(Array.from({ length: 4 }, () => run(program)));
  expect(codes).toEqual([0, 0, 0, 0]);
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  expect(lines).toHaveLength(32);
  for (let index = 0; index < lines.length; index += 2) {
    expect(lines[index + 1]).toBe(lines[index]?.replace('in', 'out'));
  }
  expect(readdirSync(folder)).toEqual(['log']);
});

it('is taken over from a process that was killed', async () => {
  const program = `
    import { acquireLock } from ${JSON.stringify(join(import.meta.dirname, 'lock.mjs'))};
    await acquireLock(${JSON.stringify(lock)}, { onWait() {}, signal: new AbortController().signal });
    process.kill(process.pid, 'SIGKILL');`;
  await run(program);
  expect(readdirSync(lock)).toHaveLength(1);
  const mine = await acquireLock(lock, { onWait: fail, signal: NEVER });
  mine.release();
});

it('is not taken while a child of the dead holder goes on', async () => {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 600_000)']);
  try {
    const started = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19];
    mkdirSync(lock);
    writeFileSync(join(lock, 'dead'), `4194304 1\n${child.pid} ${started}`);
    let waitedFor: number | undefined;
    const waiting = acquireLock(lock, {
      onWait: (pid) => {
        waitedFor = pid;
        child.kill('SIGKILL');
      },
      signal: AbortSignal.timeout(10_000),
    });
    (await waiting).release();
    expect(waitedFor).toBe(child.pid);
  } finally {
    child.kill('SIGKILL');
  }
});

it('does not take a reused pid for the holder', async () => {
  mkdirSync(lock);
  writeFileSync(join(lock, 'dead'), `${process.pid} 1`);
  (await acquireLock(lock, { onWait: fail, signal: NEVER })).release();
});

it('clears away an empty folder once it is old', async () => {
  mkdirSync(lock);
  utimesSync(lock, 0, 0);
  (await acquireLock(lock, { onWait: fail, signal: NEVER })).release();
});

it('stops waiting on request', async () => {
  const held = await acquireLock(lock, { onWait: fail, signal: NEVER });
  const controller = new AbortController();
  const waiting = acquireLock(lock, { onWait: () => controller.abort(), signal: controller.signal });
  await expect(waiting).rejects.toThrow();
  held.release();
});

function fail(pid: number | undefined): void {
  throw new Error(`waited for ${pid}`);
}

function run(program: string): Promise<number | null> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve) => child.on('exit', resolve));
}
