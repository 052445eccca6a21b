import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as meanings from '@bulkhead/shield/analysis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closedPlaces } from '../paths/closed-places.ts';
import { findFolders, findWritten, folderNeeds } from './find-folders.ts';

let root: string;
let home: string;
let work: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-beside-')));
  home = join(root, 'ada');
  work = join(home, 'code/app');
  for (const folder of ['ada/code/app/src', 'own'])
    mkdirSync(join(root, folder), { recursive: true, mode: 0o755 });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text = 'x'): string {
  const whole = join(home, path);
  mkdirSync(dirname(whole), { recursive: true, mode: 0o755 });
  writeFileSync(whole, text);
  return whole;
}

function find(path: string, from: readonly string[] = ['.'], shown: readonly string[] = []) {
  const closed = closedPlaces(join(root, 'own'), home);
  const ground = { home, own: join(root, 'own'), workingFolder: work, closed };
  return findFolders([{ path, from }], ground, shown, meanings);
}

const found = (...args: Parameters<typeof find>) =>
  find(...args).folders.map(({ path }) => path.slice(home.length + 1));

describe('findFolders', () => {
  it('names a folder beside the working folder whole, and another one no larger than needed', () => {
    put('code/shared/src/deep/s.js');
    put('data/sets/small/a.csv');
    put('data/other');
    expect(found('../shared/src/deep/s.js')).toEqual(['code/shared']);
    expect(found(`${home}/code/shared`)).toEqual(['code/shared']);
    expect(found('../../data/sets/small/a.csv')).toEqual(['data/sets/small']);
    expect(found('../missing/s.js')).toEqual([]);
  });

  it('names the folder around the working folder for a file in it', () => {
    put('code/notes.txt');
    expect(found('../notes.txt')).toEqual(['code']);
  });

  it('reads a path from the folder that the command was in, and follows links as the system does', () => {
    put('code/shared/s.js');
    put('code/app/inside/s.js');
    expect(found('../../shared/s.js', ['src', '.'])).toEqual(['code/shared']);
    expect(found('../inside/s.js', ['src', '.']), 'it is there').toEqual([]);
    symlinkSync('../shared', join(work, 'link'));
    expect(found('link/s.js')).toEqual(['code/shared']);
  });

  it('names a folder outside the home, wherever it lies', () => {
    for (const path of ['a/b', 'x/y/z']) {
      mkdirSync(join(root, path), { recursive: true, mode: 0o755 });
      writeFileSync(join(root, path, 'f'), 'x');
      const { folders } = find(join(root, path, 'f'));
      expect(folders.map((folder) => folder.path)).toEqual([join(root, path)]);
    }
  });

  it('names nothing that a box shows already, and no temporary files of other programs', () => {
    put('code/shared/s.js');
    expect(found('../shared/s.js', ['.'], [join(home, 'code/shared')])).toEqual([]);
    for (const path of ['/usr/bin', '/etc/passwd', '/proc/self', '/', tmpdir(), 'src'])
      expect(find(path), path).toEqual({ folders: [], refused: [] });
    const other = mkdtempSync(join(tmpdir(), 'bulkhead-other-'));
    expect(find(other)).toEqual({ folders: [], refused: [] });
    rmSync(other, { recursive: true });
  });

  it('names the folder that it looked at, so that another one at its path is not meant', () => {
    put('code/shared/s.js');
    const [need] = folderNeeds(find('../shared').folders);
    rmSync(join(home, 'code/shared'), { recursive: true });
    put('code/shared/s.js');
    const [other] = folderNeeds(find('../shared').folders);
    expect(need).toMatchObject({ kind: 'folder', target: join(home, 'code/shared') });
    expect(other?.target).toBe(need?.target);
    expect(other?.identity).not.toBe(need?.identity);
  });
});

describe('findWritten', () => {
  function written(paths: readonly string[], top?: string, from: readonly string[] = ['.']) {
    const closed = closedPlaces(join(root, 'own'), home);
    const ground = { home, own: closed.own, workingFolder: work, closed };
    const places = paths.map((path) => ({ path, from, write: true as const }));
    const { folders, refused } = findWritten(places, ground, [], top, meanings);
    return folders.length === 0
      ? refused.join()
      : folders.map(({ path }) => path.slice(home.length + 1)).join();
  }

  it('names the folder around the working folder that holds all refused places', () => {
    put('code/shared/s.js');
    expect(written(['../new.txt'])).toBe('code');
    expect(written(['../shared/s.js', '../made/deep/x'])).toBe('code');
    expect(written(['shared/out.txt'], undefined, ['.', '..']), 'from where the command says').toBe('code');
    expect(written(['src/x', '/usr/lib/x', '/proc/x'])).toBe('');
  });

  it('names the root of the repository for a place in it', () => {
    work = join(home, 'code/deep/app');
    mkdirSync(work, { recursive: true });
    expect(written(['../x'])).toBe('code/deep');
    expect(written(['../x'], join(home, 'code'))).toBe('code');
  });

  it('never names a home, or a folder of another user or that all can change [A2]', () => {
    expect(written(['../../x'])).toContain("can't be changed by commands: it is a home folder");
    expect(written(['../../../x'])).toContain('or holds one');
    chmodSync(join(home, 'code'), 0o777);
    expect(written(['../x'])).toContain('can be changed by all');
    chmodSync(join(home, 'code'), 0o755);
    mkdirSync(join(home, 'code/.ssh'));
    expect(written(['../x'])).toContain('is a home folder');
  });

  it.runIf(process.getuid?.() === 0)('never names one of another user [A2]', () => {
    chownSync(work, 1234, 1234);
    expect(written(['../x'])).toContain('belongs to another user than the working folder');
  });
});

describe('findFolders never shows [A2]', () => {
  const refused = (path: string) => {
    const { folders, refused: why } = find(path);
    expect(folders).toEqual([]);
    return why.join();
  };

  it.each([
    ['keys', '.ssh/id_test', 'may hold credentials'],
    ['a cloud login', '.config/gcloud/x', 'home folder'],
    ['a browser profile', '.mozilla/firefox/x', 'home folder'],
    ['private documents', 'Documents/x', 'private files'],
    ['a browser profile of a package', 'snap/chromium/common/chromium/Default/x', 'home folder'],
    ['a home of a package', 'snap/telegram-desktop/x', 'home folder'],
  ])('%s of the home, by its path or by a link to it', (_what, path) => {
    put(path);
    expect(refused(join(home, path))).toContain('is not shown to commands');
    symlinkSync(dirname(join(home, path)), join(work, 'link'));
    expect(refused(join('link', path.split('/').at(-1) ?? ''))).toContain('is not shown to commands');
  });

  it('the whole home, one above it, the home of another person, and that of Bulkhead', () => {
    put('top.txt');
    expect(refused('../../top.txt')).toContain('is a home folder');
    expect(refused(root)).toContain('or holds one');
    put('code/brother/.ssh/id_test');
    expect(refused('../brother')).toContain('is a home folder');
    writeFileSync(join(root, 'own/x'), 'x');
    expect(refused(join(root, 'own/x'))).toContain('of Bulkhead');
  });

  it('a folder that other users can change', () => {
    put('code/shared/s.js');
    chmodSync(join(home, 'code/shared'), 0o777);
    expect(refused('../shared/s.js')).toContain('can be changed by all');
  });

  it('more folders than one question names', () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) put(`data/${name}/x`);
    const closed = closedPlaces(join(root, 'own'), home);
    const ground = { home, own: join(root, 'own'), workingFolder: work, closed };
    const places = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ path: `../../data/${name}/x`, from: ['.'] }));
    expect(findFolders(places.slice(1), ground, [], meanings).folders).toHaveLength(4);
    expect(findFolders(places, ground, [], meanings)).toMatchObject({ folders: [] });
  });
});
