import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const CHILD = new URL('./fault-point.child.ts', import.meta.url).pathname;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-fault-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that passes `intent.before` and `intent.after` three times, and reports each. */
function run(fault: string) {
  const { stdout, signal } = spawnSync(process.execPath, [CHILD], {
    encoding: 'utf8',
    env: { FAULT: fault },
  });
  return { passed: stdout.trimEnd().split('\n'), signal };
}

const ALL = ['before 1', 'after 1', 'before 2', 'after 2', 'before 3', 'after 3'];

describe('an armed fault point', () => {
  it('does nothing without a plan', () => {
    expect(run('')).toEqual({ passed: ALL, signal: null });
  });

  it('kills the process at the hit that the plan names', () => {
    expect(run('intent.after:kill:2')).toEqual({ passed: ALL.slice(0, 3), signal: 'SIGKILL' });
  });

  it('fails like a disk', () => {
    const { passed } = run('intent.before:eio');
    expect(passed[0]).toBe('EIO 10 at intent.before');
    expect(passed).toHaveLength(6);
  });

  it('reads a plan from a file, carries it out once and notes it', () => {
    const plan = join(folder, 'plan');
    writeFileSync(plan, 'intent.before:kill:3');
    expect(run(`@${plan}`)).toEqual({ passed: ALL.slice(0, 4), signal: 'SIGKILL' });
    expect(run(`@${plan}`)).toEqual({ passed: ALL, signal: null });
    expect(readFileSync(`${plan}.fired`, 'utf8')).toMatch(/^\d+ intent\.before kill\n$/);
  });
});
