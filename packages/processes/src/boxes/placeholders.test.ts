import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Placeholders } from './placeholders.ts';

let top: string;
let folder: string;
let notes: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'bulkhead-placeholders-'));
  [folder, notes] = [join(top, 'work'), join(top, 'notes')];
  mkdirSync(folder);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

describe('Placeholders', () => {
  it('stand for what is missing until the last command that needs them has ended', () => {
    mkdirSync(join(folder, '.bulkhead'));
    const placeholders = new Placeholders(notes);
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
    const taken = new Placeholders(notes).take(folder);
    writeFileSync(join(folder, '.git/config'), '');
    taken[Symbol.dispose]();
    expect(existsSync(join(folder, '.git/config'))).toBe(true);
    expect(existsSync(join(folder, '.bulkhead'))).toBe(false);
  });

  it('are none where nothing can be made', () => {
    using taken = new Placeholders(notes).take('/proc');
    expect(taken.paths).toEqual([]);
  });

  it('of an engine that was killed go when the next one starts, unless something is in them', () => {
    const killed = new Placeholders(notes);
    expect(killed.take(folder).paths).toHaveLength(2);
    writeFileSync(join(folder, '.bulkhead/used'), '');
    const next = new Placeholders(notes);
    next.recover();
    expect(readdirSync(folder)).toEqual(['.bulkhead']);
    expect(readdirSync(notes)).toEqual([]);
  });

  it('are not noted once they are deleted, or if another object was in their place', () => {
    mkdirSync(join(folder, '.git'));
    const placeholders = new Placeholders(notes);
    const taken = placeholders.take(folder);
    expect(readdirSync(notes)).toHaveLength(1);
    taken[Symbol.dispose]();
    expect(readdirSync(notes)).toEqual([]);
    placeholders.recover();
    expect(readdirSync(folder)).toEqual(['.git']);
  });
});
