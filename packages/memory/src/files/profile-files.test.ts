import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_CHANGED_BYTES, ProfileFiles } from './profile-files.ts';

let base: string;
let root: string;
let files: ProfileFiles;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'bulkhead-profile-'));
  root = join(base, 'default');
  mkdirSync(root);
  files = new ProfileFiles(root, () => '0123456789abcdef');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const put = (path: string, text: string) => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
};
const paths = () => files.list().files.map(({ path }) => path);

describe('ProfileFiles', () => {
  it('lists what is memory, with size and age, and nothing else [M1]', () => {
    put('MEMORY.md', 'one');
    put('memory/202611/20261102.md', '# day');
    put('knowledge/deep/house.md', 'x');
    put('knowledge/.git/HEAD.md', 'x');
    put('SOUL.md', 'x');
    put('scratch/MEMORY.md', 'x');
    expect(paths()).toEqual(['MEMORY.md', 'knowledge/deep/house.md', 'memory/202611/20261102.md']);
    expect(files.list().files[0]).toMatchObject({ bytes: 3, source: 'memory' });
    expect(files.list().files[0]?.modified).toBeGreaterThan(1_600_000_000_000);
  });

  it('is empty where there is no profile', () => {
    const none = new ProfileFiles(join(base, 'none'), () => '');
    expect(none.list()).toEqual({ files: [], problems: [] });
    expect(none.read('MEMORY.md', 10)).toBeUndefined();
  });

  it('follows no link, whatever it leads to, and says so', () => {
    const secret = join(base, 'secret.md');
    writeFileSync(secret, 'secret');
    symlinkSync(secret, join(root, 'MEMORY.md'));
    symlinkSync(base, join(root, 'knowledge'));
    symlinkSync(base, join(root, 'memory'));
    expect(paths()).toEqual([]);
    expect(files.list().problems.join()).toContain('MEMORY.md is a link');
    expect(() => files.read('MEMORY.md', 100)).toThrow('link');
    expect(files.read('knowledge/secret.md', 100)).toBeUndefined();
    expect(() => files.replace('memory/202611/20261102.md', Buffer.from('x'), undefined)).toThrow();
    expect(readdirSync(base).sort()).toEqual(['default', 'secret.md']);
  });

  it('reads up to a bound, and refuses to add to what is larger', () => {
    put('MEMORY.md', 'x'.repeat(100));
    expect(files.read('MEMORY.md', 10)).toMatchObject({ isCut: true, bytes: Buffer.from('x'.repeat(10)) });
    expect(files.read('MEMORY.md', 100)?.isCut).toBe(false);
    put('MEMORY.md', 'x'.repeat(MAX_CHANGED_BYTES + 1));
    expect(() => files.readWhole('MEMORY.md')).toThrow('too large');
  });

  it('writes whole files, with the folders on their way [M1]', () => {
    files.replace('memory/202611/20261102.md', Buffer.from('# day\n'), undefined);
    expect(readFileSync(join(root, 'memory/202611/20261102.md'), 'utf8')).toBe('# day\n');
    expect(readdirSync(join(root, 'memory/202611'))).toEqual(['20261102.md']);
  });

  it('loses nothing if an editor saved meanwhile', () => {
    put('MEMORY.md', 'one\n');
    const before = files.readWhole('MEMORY.md');
    appendFileSync(join(root, 'MEMORY.md'), 'two\n');
    expect(() => files.replace('MEMORY.md', Buffer.from('one\nmine\n'), before)).toThrow('changed');
    expect(() => files.replace('MEMORY.md', Buffer.from('mine\n'), undefined)).toThrow();
    expect(readFileSync(join(root, 'MEMORY.md'), 'utf8')).toBe('one\ntwo\n');
  });

  it('never writes to a copy that a sync tool left, and lists it as data', () => {
    const copy = 'MEMORY (conflicted copy).md';
    put(copy, 'theirs');
    expect(files.list().files[0]).toMatchObject({ path: copy, isConflict: true });
    expect(() => files.replace(copy, Buffer.from(''), files.readWhole(copy))).toThrow('no file that memory');
  });

  it.each(['../x.md', 'knowledge/../../x.md', 'SOUL.md', '/MEMORY.md', 'memory/202611/../../../x.md'])(
    'writes nothing at %j',
    (path) => {
      expect(() => files.replace(path, Buffer.from('x'), undefined)).toThrow();
      expect(existsSync(join(base, 'x.md'))).toBe(false);
    },
  );
});
