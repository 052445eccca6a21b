import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeLayout } from '@bulkhead/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hasStalePid, ownersOfHome } from './owner-of-home.ts';

let folder: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-owner-'));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function homeAt(name: string) {
  const layout = homeLayout(join(folder, name));
  mkdirSync(layout.run, { recursive: true });
  writeFileSync(layout.lock, '');
  return layout;
}

/** A process with an engine's command line that has this file open. */
async function engineWith(lock: string): Promise<number> {
  const script = join(folder, 'engine.mjs');
  writeFileSync(
    script,
    "import { openSync } from 'node:fs'; openSync(process.argv[2], 'r'); console.log('open'); setInterval(() => {}, 1000);",
  );
  const child = spawn(process.execPath, [script, lock], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  await once(child.stdout, 'data');
  return child.pid ?? 0;
}

it.runIf(process.platform === 'linux')(
  'takes an engine for the owner of a home only if it has the lock of that home open',
  async () => {
    const mine = homeAt('mine');
    const other = homeAt('other');
    const pid = await engineWith(other.lock);
    // The process number of a dead engine of this home, reused by an engine of another home.
    for (const layout of [mine, other]) writeFileSync(`${layout.lock}.pid`, `${pid}\n`);
    expect(ownersOfHome(mine)).toEqual([]);
    expect(hasStalePid(mine)).toBe(true);
    expect(ownersOfHome(other)).toContainEqual({ kind: 'engine', pid });
    expect(hasStalePid(other)).toBe(false);
  },
);
