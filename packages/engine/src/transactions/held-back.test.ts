import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HeldBack } from './held-back.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-held-'));
  for (const name of ['work', 'scratch']) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('HeldBack', () => {
  it('has no problem where changes have a place to wait, and says why where they have none [B2]', () => {
    const held = new HeldBack(join(folder, 'scratch'));
    expect(held.problem(join(folder, 'work'))).toBeUndefined();
    expect(held.problem('/proc')).toMatch(/^changes in \/proc have no place to wait/);
  });

  it('says the same as long as it lives: what was judged as held back is never run otherwise [A4]', () => {
    const held = new HeldBack(join(folder, 'scratch'));
    const work = join(folder, 'work');
    expect(held.problem(work)).toBeUndefined();
    rmSync(join(folder, 'scratch'), { recursive: true });
    writeFileSync(join(folder, '.bulkhead-scratch'), '');
    expect(held.problem(work)).toBeUndefined();
  });
});
