import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
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
      expect.stringMatching(/^a\/b\/c\/\.env: may hold credentials.*`secret_files`/),
      expect.stringMatching(/^a\/id_rsa: may hold credentials.*can't be allowed/),
    ]);
  });

  it('finds them in folders that are obeyed later too, each of which is kept as a whole [A2]', async () => {
    const folders = ['.devcontainer', '.vscode', '.github/workflows', 'a/.husky', '.idea/b'];
    make(...folders.flatMap((name) => [`${name}/.env`, `${name}/tasks.json`, `${name}/node_modules/.env`]));
    make('.git/objects/.env', '.hg/store/.env', '.husky/.husky/x.pem');
    const { hide, keep } = await guardedPlaces(folder);
    expect(paths(hide)).toEqual([...folders.map((name) => `${name}/.env`), '.husky/.husky/x.pem'].toSorted());
    const kept = [
      '.devcontainer',
      '.git',
      '.github/workflows',
      '.hg',
      '.husky',
      '.idea',
      '.vscode',
      'a/.husky',
    ];
    expect(paths(keep)).toEqual(kept);
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

describe('a folder that a command made hard to look into [A2]', () => {
  it('is searched by its bytes, and refused only for a protected name', async () => {
    mkdirSync(Buffer.from(`${folder}/c\xff/d`, 'latin1'), { recursive: true });
    writeFileSync(Buffer.from(`${folder}/c\xff/d/notes`, 'latin1'), '');
    writeFileSync(Buffer.from(`${folder}/odd\xff`, 'latin1'), '');
    make('config/.env');
    expect(paths((await guardedPlaces(folder)).hide)).toEqual(['config/.env']);
    writeFileSync(Buffer.from(`${folder}/c\xff/d/.env`, 'latin1'), '');
    await expect(guardedPlaces(folder)).rejects.toMatchObject({
      code: 'blocked',
      message: expect.stringContaining(
        'c\\xff/d/.env may hold credentials and can’t be hidden'.replace('’', "'"),
      ),
    });
  });

  it('is searched at any depth that a path can have, and refused beyond', async () => {
    const deep = Array.from({ length: 60 }, () => 'd').join('/');
    make(`${deep}/.env`);
    expect(paths((await guardedPlaces(folder)).hide)).toEqual([`${deep}/.env`]);
    const long = 'l'.repeat(250);
    // Longer than one path can be: made from both ends.
    const half = Array.from({ length: 9 }, () => long).join('/');
    mkdirSync(join(folder, 'a', half), { recursive: true });
    mkdirSync(join(folder, 'b', half), { recursive: true });
    const inside = join(folder, 'a', half, 'b');
    renameSync(join(folder, 'b'), inside);
    try {
      await expect(guardedPlaces(folder)).rejects.toMatchObject({ code: 'blocked' });
    } finally {
      // No path of a whole file in it is short enough to be removed.
      renameSync(inside, join(folder, 'b'));
    }
  });

  it.skipIf(process.getuid?.() === 0)('is hidden if it is closed for now', async () => {
    make('config/.env');
    chmodSync(join(folder, 'config'), 0);
    const { hide } = await guardedPlaces(folder);
    chmodSync(join(folder, 'config'), 0o700);
    expect(paths(hide)).toEqual(['config']);
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
    const { entries, others } = folders.list(Buffer.from(folder));
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
    expect(known.folders.list(Buffer.from(join(folder, 'nowhere')))).toMatchObject({
      entries: [],
      others: 0,
    });
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

  it('says so where names don’t lead to what it visits, or a path is too long', async () => {
    const visits = (where: Buffer) => {
      const seen: boolean[] = [];
      const visit = ({ isNamed }: { readonly isNamed: boolean }) => seen.push(isNamed) > 0;
      return walkFolder(where.toString(), visit, 1_000).then((whole) => [whole, ...seen]);
    };
    mkdirSync(Buffer.from(`${folder}/c\xff/d`, 'latin1'), { recursive: true });
    expect(await visits(Buffer.from(folder))).toEqual([false, true, false]);
  });
});
