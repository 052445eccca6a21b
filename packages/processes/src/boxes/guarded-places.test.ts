import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { guardedPlaces } from './guarded-places.ts';
import { RememberedFolders } from './remembered-folders.ts';
import { walkFolder } from './walk-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-guarded-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function make(...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), '');
  }
}

const paths = (places: readonly (readonly string[])[]) => places.map((names) => names.join('/')).toSorted();

describe('guardedPlaces', () => {
  it('finds them at any depth, and not in what programs make [A2]', async () => {
    make('a/b/c/.env', 'a/id_rsa', 'node_modules/x/test/key.pem', '.venv/lib/cacert.pem', 'a/.git/config');
    make('a/b/.github/workflows/x.yml', 'a/b/.github/notes.md', 'src/main.c');
    const { hide, keep, hidingRemarks } = await guardedPlaces(folder);
    expect(paths(hide)).toEqual(['a/b/c/.env', 'a/id_rsa']);
    expect(paths(keep)).toEqual(['a/.git', 'a/b/.github/workflows']);
    expect(hidingRemarks).toEqual([
      expect.stringMatching(/^a\/id_rsa, a\/b\/c\/\.env: may hold credentials/),
    ]);
  });

  it('follows no link, and tells of one that is obeyed', async () => {
    make('real/.env');
    symlinkSync('real', join(folder, 'link'));
    symlinkSync('real/x', join(folder, 'real/.envrc'));
    const { hide, keep, obeyed, keepingRemarks } = await guardedPlaces(folder);
    expect(paths(hide)).toEqual(['real/.env']);
    expect([paths(keep), paths(obeyed)]).toEqual([[], ['real/.envrc']]);
    expect(keepingRemarks).toEqual(['a link, so not kept from changes: real/.envrc']);
  });

  it('says so where there are more than a box can hide, or names that can’t be', async () => {
    make(...Array.from({ length: 510 }, (_, index) => `d/${index}.pem`));
    mkdirSync(join(folder, 'e'));
    writeFileSync(Buffer.from(`${folder}/e/\xff.key`, 'latin1'), '');
    const { hide, hidingRemarks } = await guardedPlaces(folder);
    expect(hide).toHaveLength(500);
    expect(hidingRemarks).toEqual([
      expect.stringContaining(' and 497 more: may hold credentials'),
      '10 files that may hold credentials are not hidden',
      expect.stringContaining('not hidden, for its name is no UTF-8: e/'),
    ]);
  });
});

describe('a large folder', () => {
  it('is looked through behind any number of files, and refused beyond the bound [A2]', async () => {
    make(...Array.from({ length: 20_100 }, (_, index) => `decoy/${index}`), 'zone/deep/deeper/.env');
    expect(paths((await guardedPlaces(folder)).hide)).toEqual(['zone/deep/deeper/.env']);
    await expect(guardedPlaces(folder, () => false, { maxEntries: 20_000 })).rejects.toMatchObject({
      code: 'blocked',
    });
    make(...Array.from({ length: 300 }, (_, index) => `node_modules/p/${index}`));
    expect((await guardedPlaces(folder, () => false, { maxEntries: 20_120 })).hidingRemarks).toHaveLength(1);
  });
});

describe('RememberedFolders', () => {
  /** With a clock that is ahead, so that nothing counts as changed just now; `read` are entries asked about. */
  function remembered(ahead: number) {
    const read: string[] = [];
    const folders = new RememberedFolders(
      (entry) => read.push(entry.name.toString()) > 0 && entry.name.toString().startsWith('k'),
      () => Date.now() + ahead,
    );
    return { folders, read };
  }
  const list = ({ folders, read }: ReturnType<typeof remembered>) => {
    read.length = 0;
    const { entries, others } = folders.list(folder);
    return { read: read.length, kept: entries.map(({ name }) => name.toString()).toSorted(), others };
  };

  it('reads a folder again once a name in it changed, and else keeps what matters', () => {
    const known = remembered(60_000);
    make('k1', 'a', 'b');
    expect(list(known)).toEqual({ read: 3, kept: ['k1'], others: 2 });
    expect(list(known)).toEqual({ read: 0, kept: ['k1'], others: 2 });
    make('k2');
    // A later time, however coarse the clock of the file system is.
    utimesSync(folder, 1, 2);
    expect(list(known)).toEqual({ read: 4, kept: ['k1', 'k2'], others: 2 });
    rmSync(join(folder, 'k1'));
    utimesSync(folder, 1, 3);
    expect(list(known)).toEqual({ read: 3, kept: ['k2'], others: 2 });
    expect(list(known).read).toBe(0);
  });

  it('reads one that changed just now each time', () => {
    const known = remembered(0);
    make('k1', 'a');
    expect([list(known).read, list(known).read]).toEqual([2, 2]);
    expect(known.folders.list(join(folder, 'nowhere'))).toEqual({ entries: [], others: 0 });
  });
});

describe('walkFolder', () => {
  it('looks at what is near the top first, and says when it ended early', async () => {
    make('a/1/x', 'a/1/y', 'b', 'c');
    const seen: string[] = [];
    const visit = ({ names }: { readonly names: readonly string[] }) => seen.push(names.join('/')) > 0;
    expect(await walkFolder(folder, visit, 5)).toBe(false);
    expect(seen.slice(0, 3).toSorted()).toEqual(['a', 'b', 'c']);
    expect(seen).toHaveLength(5);
    expect(await walkFolder(folder, visit, 6)).toBe(true);
    expect(await walkFolder(join(folder, 'nowhere'), visit, 6)).toBe(true);
  });

  it('enters only so deep, and says so', async () => {
    mkdirSync(join(folder, ...Array.from({ length: 40 }, () => 'd')), { recursive: true });
    expect(await walkFolder(folder, () => true, 1_000)).toBe(false);
    expect(await walkFolder(folder, () => false, 1_000)).toBe(true);
  });
});
