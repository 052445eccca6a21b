import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireInstanceLock } from './instance-lock.ts';
import { codeOf, temporaryFolder } from './testing.ts';

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
let children: ChildProcess[];
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder.path, 'engine.lock');
  children = [];
});
afterEach(async () => {
  for (const child of children) await kill(child);
  folder[Symbol.dispose]();
});

async function hold(): Promise<ChildProcess> {
  const script = join(import.meta.dirname, 'hold-lock.child.ts');
  const child = spawn(process.execPath, [script, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

function refusal(): BulkheadError {
  try {
    acquireInstanceLock(path, '/home/of/it')[Symbol.dispose]();
  } catch (error) {
    if (BulkheadError.is(error)) return error;
    throw error;
  }
  throw new Error('the lock was free');
}

describe('the instance lock', () => {
  it('refuses a second process and names the first [S4] [FT81]', async () => {
    const child = await hold();
    const error = refusal();
    expect(error.code).toBe('already_running');
    expect(error.message).toBe(`another engine (pid ${child.pid}) uses /home/of/it`);
    expect(error.fix).toMatch(/bulkhead stop/);
    expect(refusal().code).toBe('already_running');
  });

  it('is free after kill -9 of its holder, though the pid file is still there [S4]', async () => {
    const child = await hold();
    await kill(child);
    expect(readFileSync(`${path}.pid`, 'utf8')).toBe(`${child.pid}\n`);
    using _lock = acquireInstanceLock(path);
    expect(readFileSync(`${path}.pid`, 'utf8')).toBe(`${process.pid}\n`);
  });

  it('is free after its holder disposed of it', async () => {
    const child = await hold();
    const closed = once(child, 'close');
    child.stdin?.end();
    expect(await closed).toEqual([0, null]);
    expect(existsSync(`${path}.pid`)).toBe(false);
    acquireInstanceLock(path)[Symbol.dispose]();
  });

  it('refuses the same process twice, and frees once', async () => {
    const lock = acquireInstanceLock(path);
    expect(refusal().code).toBe('already_running');
    lock[Symbol.dispose]();
    using _next = acquireInstanceLock(path);
    lock[Symbol.dispose]();
    expect(existsSync(`${path}.pid`)).toBe(true);
    expect(refusal().code).toBe('already_running');
  });

  it('says that the folder is missing', () => {
    expect(codeOf(() => acquireInstanceLock(join(folder.path, 'none', 'engine.lock')))).toBe('store_failed');
  });
});
