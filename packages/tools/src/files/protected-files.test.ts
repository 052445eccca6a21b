import { mkdirSync, readdirSync, readSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { raceFolder } from '../testing/racer.ts';
import { TemporaryFolder } from '../testing/temporary-folder.ts';
import { GrantedFiles } from './granted-files.ts';
import { openFileForReading } from './open-file.ts';

let folder: TemporaryFolder;
let root: string;
let files: GrantedFiles;

beforeEach(() => {
  folder = new TemporaryFolder();
  root = join(folder.path, 'root');
  mkdirSync(join(root, 'sub/deep'), { recursive: true });
  writeFileSync(join(root, 'a.txt'), 'inside a');
  writeFileSync(join(root, 'sub/b.txt'), 'inside b');
  files = GrantedFiles.open({ roots: [{ path: root, access: 'rw' }] });
});

afterEach(() => {
  files[Symbol.dispose]();
  folder[Symbol.dispose]();
});

function content(path: string, from = files): string {
  using location = from.locate(path, 'read');
  using file = openFileForReading(location, 'use ls');
  const buffer = Buffer.alloc(1000);
  return buffer.toString('utf8', 0, readSync(file.fd, buffer));
}

function outcome(path: string, from = files): string {
  try {
    return content(path, from);
  } catch (error) {
    if (BulkheadError.is(error)) return error.code;
    throw error;
  }
}

describe('protected names [A2]', () => {
  beforeEach(() => {
    for (const name of ['.aws', '.git/hooks', '.env.d', 'pki'])
      mkdirSync(join(root, name), { recursive: true });
    for (const name of ['.env', '.aws/b.txt', '.E\u200bNV', 'pki/server.pem', '.git/HEAD']) {
      writeFileSync(join(root, name), 'CREDENTIALS');
    }
  });

  it.each([
    ['.env', '.env may hold credentials: it is neither read nor written'],
    ['./sub/../.env', './sub/../.env may hold credentials: it is neither read nor written'],
    ['.aws/b.txt', '.aws/b.txt may hold credentials: it is neither read nor written'],
    ['.aws/nothing', '.aws/nothing may hold credentials: it is neither read nor written'],
    ['nothing.pem', 'nothing.pem may hold credentials: it is neither read nor written'],
    ['.E\\xe2\\x80\\x8bNV', '.E\\xe2\\x80\\x8bNV may hold credentials: it is neither read nor written'],
  ])('%s is not opened to be read or written', (path, message) => {
    expect(() => files.locate(path, 'read')).toThrow(message);
    expect(() => files.locate(path, 'write')).toThrow(message);
    expect(() => files.locateAndMakeFolders(path)).toThrow(message);
    expect(outcome(path)).toBe('blocked');
  });

  it.each([
    ['.env', 'link'],
    ['./sub/../.env', 'link'],
    ['pki/server.pem', 'link'],
    ['.aws', 'link/b.txt'],
    ['.aws/', 'link/b.txt'],
    ['pki', 'link/server.pem'],
    ['missing.key', 'link'],
  ])('a link to %s does not open %s', (target, path) => {
    symlinkSync(target, join(root, 'link'));
    symlinkSync(join(root, 'link'), join(root, 'again'));
    for (const one of [path, path.replace('link', 'again'), `sub/../${path}`]) {
      expect(outcome(one)).toBe('blocked');
      expect(() => files.locate(one, 'write')).toThrow('may hold credentials');
      expect(() => files.locateAndMakeFolders(one)).toThrow('may hold credentials');
    }
    expect(readdirSync(root)).not.toContain('missing.key');
  });

  it('a link that bears such a name opens nothing either', () => {
    symlinkSync('sub/b.txt', join(root, 'id_rsa'));
    symlinkSync('sub', join(root, '.ssh'));
    expect(outcome('id_rsa')).toBe('blocked');
    expect(outcome('.ssh/b.txt')).toBe('blocked');
  });

  it('reads files that are obeyed later but does not write them, and creates no folder in them', () => {
    symlinkSync('.git', join(root, 'link'));
    expect(content('link/HEAD')).toBe('CREDENTIALS');
    for (const path of ['.git/HEAD', 'link/HEAD', 'link/hooks/new', 'link/new/deep/x', 'sub/.GIT/x']) {
      expect(() => files.locateAndMakeFolders(path)).toThrow('is run or obeyed by other programs later');
      expect(() => files.locate(path, 'write')).toThrow('is run or obeyed by other programs later');
    }
    expect(readdirSync(join(root, '.git')).toSorted()).toEqual(['HEAD', 'hooks']);
    expect(readdirSync(join(root, 'sub')).toSorted()).toEqual(['b.txt', 'deep']);
  });

  it('may be listed, and what was located to be listed is not read', () => {
    for (const path of ['.aws', '.env', '.aws/b.txt', 'a.txt']) {
      using location = files.locate(path, 'list');
      expect(location.stat).toBeDefined();
      if (path !== '.aws') expect(() => openFileForReading(location, '')).toThrow('may only be listed');
    }
  });

  it('leaves what only looks alike, and folders with names of credential files', () => {
    mkdirSync(join(root, 'venv/.env'), { recursive: true });
    writeFileSync(join(root, 'venv/.env/a.py'), 'code');
    writeFileSync(join(root, '.env.example'), 'template');
    expect(content('venv/.env/a.py')).toBe('code');
    expect(content('.env.example')).toBe('template');
  });

  it('loses no race against a folder that becomes a link to credentials and back', async () => {
    const met = ['blocked', 'inside b', 'tool_failed'];
    const seen = await raceFolder(root, '.aws', met, () => outcome('sub/b.txt'));
    expect([...seen.keys()].sort()).toEqual(met);
  });
});

describe('files that other programs run unasked', () => {
  beforeEach(() => {
    mkdirSync(join(root, '.vscode'));
    writeFileSync(join(root, '.vscode/tasks.json'), 'inside t');
  });

  it('are written where the path names them: the engine asked a person about that name [FT14]', () => {
    for (const path of [
      '.vscode/tasks.json',
      './/.vscode/new.json',
      `${root}/.vscode/tasks.json`,
      'sub/.envrc',
    ]) {
      using location = files.locateNewFile(path);
      expect(location.name).toBeDefined();
    }
  });

  it.each(['link/tasks.json', 'again/tasks.json', 'file', 'sub/../link/new.json', 'link/new/deep.json'])(
    'are not written where only a link leads to them: %s [FT14] [FT10]',
    (path) => {
      symlinkSync('.vscode', join(root, 'link'));
      symlinkSync(join(root, 'link'), join(root, 'again'));
      symlinkSync('.vscode/tasks.json', join(root, 'file'));
      expect(() => files.locate(path, 'write')).toThrow(
        /leads to a file that is run automatically by VS Code|no such file/,
      );
      expect(() => files.locateAndMakeFolders(path)).toThrow(
        'leads to a file that is run automatically by VS Code',
      );
      expect(readdirSync(join(root, '.vscode'))).toEqual(['tasks.json']);
    },
  );

  it('are not written through a folder that becomes a link to them while the write goes on [FT14] [FT10]', async () => {
    const met = ['blocked', 'located', 'tool_failed'];
    const seen = await raceFolder(root, '.vscode', met, () => {
      try {
        using location = files.locateNewFile('sub/tasks.json');
        return location.shown === 'sub/tasks.json' ? 'located' : location.shown;
      } catch (error) {
        return BulkheadError.is(error) ? error.code : 'unknown';
      }
    });
    for (const outcome of seen.keys()) expect(met).toContain(outcome);
    expect(seen.get('blocked')).toBeGreaterThan(0);
  });
});
