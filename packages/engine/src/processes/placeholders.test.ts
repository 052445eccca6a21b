import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Placeholders } from './placeholders.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-placeholders-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('Placeholders', () => {
  it('stand for what is missing until the last command that needs them has ended', () => {
    mkdirSync(join(folder, '.bulkhead'));
    const placeholders = new Placeholders();
    const one = placeholders.take(folder);
    const two = placeholders.take(folder);
    expect([one.paths, two.paths]).toEqual([[join(folder, '.git')], [join(folder, '.git')]]);
    one[Symbol.dispose]();
    expect(existsSync(join(folder, '.git'))).toBe(true);
    two[Symbol.dispose]();
    expect(existsSync(join(folder, '.git'))).toBe(false);
    expect(existsSync(join(folder, '.bulkhead'))).toBe(true);
  });

  it('stay if somebody put something into them', () => {
    const taken = new Placeholders().take(folder);
    writeFileSync(join(folder, '.git/config'), '');
    taken[Symbol.dispose]();
    expect(existsSync(join(folder, '.git/config'))).toBe(true);
    expect(existsSync(join(folder, '.bulkhead'))).toBe(false);
  });

  it('are none where nothing can be made', () => {
    using taken = new Placeholders().take('/proc');
    expect(taken.paths).toEqual([]);
  });
});
