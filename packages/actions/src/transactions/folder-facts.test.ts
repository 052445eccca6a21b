import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderFacts } from './folder-facts.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-facts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('folderFacts', () => {
  it('finds a repository by the bytes of its name [FT14]', () => {
    const name = Buffer.from('\xffr', 'latin1');
    const path = Buffer.concat([Buffer.from(`${folder}/`), name]);
    mkdirSync(path);
    const facts = folderFacts(folder);
    expect(facts.isGitFolder(name)).toBe(false);
    expect(facts.hasSettings(name)).toBe(false);
    writeFileSync(Buffer.concat([path, Buffer.from('/HEAD')]), '');
    mkdirSync(Buffer.concat([path, Buffer.from('/hooks')]));
    expect(facts.isGitFolder(name)).toBe(true);
    expect(facts.hasSettings(name)).toBe(true);
    expect(facts.isGitFolder(Buffer.from(''))).toBe(false);
  });

  it('takes for one what it can’t look at, and nothing below a file [A4]', () => {
    writeFileSync(join(folder, 'file'), '');
    const facts = folderFacts(folder);
    expect(facts.isGitFolder(Buffer.from(`${'a'.repeat(200)}/`.repeat(30)))).toBe(true);
    expect(facts.isGitFolder(Buffer.from('a'.repeat(300)))).toBe(true);
    expect(facts.isGitFolder(Buffer.from('file/x'))).toBe(false);
  });
});
