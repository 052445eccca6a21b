import { linkSync, mkdirSync, readdirSync, readSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import fc from 'fast-check';
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
  mkdirSync(join(folder.path, 'outside'));
  writeFileSync(join(root, 'a.txt'), 'inside a');
  writeFileSync(join(root, 'sub/b.txt'), 'inside b');
  writeFileSync(join(folder.path, 'outside/secret'), 'SECRET');
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

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

describe('paths in a grant [FR5, FT11]', () => {
  it.each([
    ['a.txt', 'inside a'],
    ['./a.txt', 'inside a'],
    ['.//sub/.././a.txt', 'inside a'],
    ['sub/deep/../b.txt', 'inside b'],
    ['sub//b.txt', 'inside b'],
    ['a.txt/', 'tool_failed'],
    ['a.txt/.', 'tool_failed'],
    ['a.txt/..', 'tool_failed'],
    ['a.txt/../a.txt', 'tool_failed'],
    ['nothing/../a.txt', 'tool_failed'],
    ['..', 'blocked'],
    ['../root/a.txt', 'blocked'],
    ['sub/../../outside/secret', 'blocked'],
    ['/etc/passwd', 'blocked'],
    ['//etc/passwd', 'blocked'],
    ['/', 'blocked'],
    ['%2e%2e/outside/secret', 'tool_failed'],
    ['file:///etc/passwd', 'tool_failed'],
    ['~/secret', 'tool_failed'],
    ['\\x2e\\x2e/outside/secret', 'tool_failed'],
    ['a.txt ', 'tool_failed'],
    ['a.txt.', 'tool_failed'],
    ['sub', 'tool_failed'],
    ['', 'invalid_arguments'],
    ['a\0.txt', 'invalid_arguments'],
  ])('%j gives %s', (path, expected) => {
    expect(outcome(path)).toBe(expected);
  });

  it('refuses paths and names that are longer than any can be', () => {
    expect(outcome(`${'x/'.repeat(2048)}y`)).toBe('invalid_arguments');
    expect(outcome('x'.repeat(300))).toBe('tool_failed');
  });

  it('takes absolute paths below the root as it was named and as it resolves', () => {
    symlinkSync(root, join(folder.path, 'alias'));
    using aliased = GrantedFiles.open({ roots: [{ path: join(folder.path, 'alias'), access: 'rw' }] });
    expect(content(`${folder.path}/alias/a.txt`, aliased)).toBe('inside a');
    expect(content(`${root}//./a.txt`, aliased)).toBe('inside a');
    expect(outcome(`${root}/../outside/secret`, aliased)).toBe('blocked');
    expect(outcome(`${root}x/a.txt`, aliased)).toBe('blocked');
  });

  it('never gives content from outside and never anything but its own errors, for any path', () => {
    symlinkSync('../outside', join(root, 'out'));
    symlinkSync('sub', join(root, 'in'));
    symlinkSync('..', join(root, 'sub/up'));
    const part = fc.constantFrom(
      '..',
      '.',
      '',
      'sub',
      'up',
      'in',
      'out',
      'a.txt',
      'b.txt',
      'secret',
      'outside',
      'root',
      '~',
      '%2e%2e',
      '\\x2e\\x2e',
      root,
    );
    const before = openDescriptors();
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        expect(['inside a', 'inside b', 'blocked', 'tool_failed', 'invalid_arguments']).toContain(
          outcome(parts.join('/')),
        );
      }),
      { numRuns: 5_000 },
    );
    expect(openDescriptors()).toBe(before);
  });
});

describe('symbolic links [FR5, FT10]', () => {
  it.each([
    ['sub/b.txt', 'inside b'],
    ['./sub/deep/../b.txt', 'inside b'],
    ['../outside/secret', 'blocked'],
    ['/etc/passwd', 'blocked'],
    ['sub/../../outside/secret', 'blocked'],
    ['link', 'tool_failed'],
    ['nothing', 'tool_failed'],
  ])('a link to %s gives %s', (target, expected) => {
    symlinkSync(target, join(root, 'link'));
    expect(outcome('link')).toBe(expected);
  });

  it('follows an absolute target below the root', () => {
    symlinkSync(join(root, 'sub'), join(root, 'link'));
    expect(content('link/b.txt')).toBe('inside b');
  });

  it('follows 40 links and no more', () => {
    symlinkSync('a.txt', join(root, 'l0'));
    for (let index = 1; index <= 40; index += 1) symlinkSync(`l${index - 1}`, join(root, `l${index}`));
    expect(outcome('l39')).toBe('inside a');
    expect(outcome('l40')).toBe('tool_failed');
  });

  it('never leaves the root, for random trees of links', () => {
    const name = fc.constantFrom('p', 'q', 'r', 'sub', 'a.txt');
    const target = fc.array(
      fc.oneof(name, fc.constantFrom('..', '.', '../..', '/etc', '/', root, '../outside')),
      {
        minLength: 1,
        maxLength: 5,
      },
    );
    const links = fc.array(fc.tuple(fc.constantFrom('p', 'q', 'r', 'sub/p', 'sub/q', 'sub/deep/r'), target), {
      maxLength: 6,
    });
    const path = fc.array(fc.oneof(name, fc.constantFrom('..', 'secret', 'deep', 'passwd')), {
      minLength: 1,
      maxLength: 6,
    });
    let run = 0;
    fc.assert(
      fc.property(links, path, (made, parts) => {
        run += 1;
        const tree = join(folder.path, `tree${run}`);
        mkdirSync(join(tree, 'sub/deep'), { recursive: true });
        writeFileSync(join(tree, 'a.txt'), 'inside a');
        for (const [at, to] of new Map(made)) symlinkSync(to.join('/'), join(tree, at));
        using granted = GrantedFiles.open({ roots: [{ path: tree, access: 'rw' }] });
        expect(['inside a', 'blocked', 'tool_failed']).toContain(outcome(parts.join('/'), granted));
      }),
      { numRuns: 300 },
    );
  });

  it('loses no race against a folder that becomes a link to the outside and back', async () => {
    writeFileSync(join(folder.path, 'outside/b.txt'), 'SECRET');
    // The reader meets the folder, the link or the moment between, and nothing else.
    const met = ['blocked', 'inside b', 'tool_failed'];
    const seen = await raceFolder(root, join(folder.path, 'outside'), met, () => outcome('sub/b.txt'));
    expect([...seen.keys()].sort()).toEqual(met);
  });
});

describe('a grant of several roots', () => {
  it('reads below a read-only root and changes nothing there', () => {
    const outside = join(folder.path, 'outside');
    using both = GrantedFiles.open({
      roots: [
        { path: root, access: 'rw' },
        { path: outside, access: 'ro' },
      ],
    });
    expect(content(`${outside}/secret`, both)).toBe('SECRET');
    expect(outcome('../outside/secret', both)).toBe('blocked');
    using location = both.locate(`${outside}/new`, 'write');
    expect(location.access).toBe('ro');
    expect(location.shown).toBe(`${outside}/new`);
    expect(() => both.locateAndMakeFolders(`${outside}/x/y`)).toThrow('read-only');
    expect(readdirSync(outside)).toEqual(['secret']);
  });

  it('keeps what is taken out of a root closed, by any name, but for a root inside it [A2]', () => {
    mkdirSync(join(root, 'home/out'), { recursive: true });
    writeFileSync(join(root, 'home/secret'), 'SECRET');
    writeFileSync(join(root, 'home/out/a.txt'), 'mine');
    symlinkSync('home', join(root, 'link'));
    using closed = GrantedFiles.open({
      roots: [
        { path: root, access: 'rw' },
        { path: join(root, 'home/out'), access: 'ro' },
        { path: join(root, 'home'), access: 'no' },
      ],
    });
    for (const path of [
      'home/secret',
      'link/secret',
      'home',
      `${root}/home/secret`,
      'home/new',
      'sub/../home/out',
    ]) {
      for (const use of ['list', 'read', 'write'] as const) {
        expect(() => closed.locate(path, use), `${use} ${path}`).toThrow('Bulkhead itself');
      }
    }
    using own = closed.locate(`${root}/home/out/a.txt`, 'read');
    expect(own.access).toBe('ro');
  });

  it('keeps a read-only root read-only when it lies inside a writable one', () => {
    using both = GrantedFiles.open({
      roots: [
        { path: root, access: 'rw' },
        { path: join(root, 'sub'), access: 'ro' },
      ],
    });
    for (const [path, access] of [
      ['sub/b.txt', 'ro'],
      [`${root}/sub/deep/x`, 'ro'],
      ['sub/deep/../../a.txt', 'rw'],
    ] as const) {
      using location = both.locate(path, 'read');
      expect(location.access).toBe(access);
    }
  });

  it('refuses a root that is no folder, is not absolute or climbs, and an empty grant', () => {
    for (const path of [join(root, 'a.txt'), 'root', `${root}/../root`, join(root, 'nothing')]) {
      expect(() => GrantedFiles.open({ roots: [{ path, access: 'rw' }] })).toThrow(BulkheadError);
    }
    expect(() => GrantedFiles.open({ roots: [] })).toThrow('at least one root');
  });

  it('stays with the folder it opened when another takes its name', () => {
    renameSync(root, join(folder.path, 'moved'));
    mkdirSync(root);
    writeFileSync(join(root, 'a.txt'), 'impostor');
    expect(content('a.txt')).toBe('inside a');
  });
});

describe('a place in a grant', () => {
  it('has the same key however it is named, and another than its neighbours', () => {
    symlinkSync('sub', join(root, 'link'));
    linkSync(join(root, 'sub/b.txt'), join(root, 'sub/c.txt'));
    const key = (path: string) => {
      using location = files.locate(path, 'read');
      return location.key;
    };
    expect(key('link/../sub/b.txt')).toBe(key(`${root}/link/b.txt`));
    expect(key('sub/c.txt')).not.toBe(key('sub/b.txt'));
  });

  it('makes missing folders on the way only when asked to', () => {
    expect(() => files.locate('n/e/w', 'read')).toThrow('no such file');
    using location = files.locateAndMakeFolders('n/e/w');
    expect(location.node).toBeUndefined();
    expect(readdirSync(join(root, 'n'))).toEqual(['e']);
    expect(() => files.locateAndMakeFolders('n/x/')).toThrow('names a folder');
    expect(() => files.locateAndMakeFolders('../x/y')).toThrow(BulkheadError);
  });
});
