import {
  appendFileSync,
  chmodSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChronicleStage } from '../testing/chronicle-stage.ts';
import { treeOf } from '../testing/tree-of.ts';

let stage: ChronicleStage;

beforeEach(() => {
  stage = new ChronicleStage();
});

afterEach(() => stage[Symbol.dispose]());

const put = (name: string, text: string) => writeFileSync(stage.path(name), text);
const read = (name: string) => readFileSync(stage.path(name), 'utf8');
/** Without the working folder itself, whose time no action restores. */
const untimed = (tree: readonly string[]) => tree.filter((line) => !line.endsWith(' .'));
const names = () => readdirSync(stage.folder).toSorted();

describe('a rollback', () => {
  it('can be taken back, and that, too [U2]', async () => {
    put('a', 'one');
    const id = await stage.act(['a', 'b'], () => {
      put('a', 'two');
      mkdirSync(stage.path('b'));
    });
    const changed = treeOf(stage.folder);
    const undo = await stage.rollBack([id]);
    expect([names(), read('a')]).toEqual([['a'], 'one']);
    const redo = await stage.rollBack([undo.id]);
    expect(treeOf(stage.folder)).toEqual(changed);
    await stage.rollBack([redo.id]);
    expect([names(), read('a')]).toEqual([['a'], 'one']);
  });

  it.runIf(process.getuid?.() === 0)('gives back what root gave away, and that back again [U2]', async () => {
    put('file', 'same');
    put('edited', 'one');
    put('gone', 'x');
    mkdirSync(stage.path('folder'));
    symlinkSync('file', stage.path('link'));
    const all = ['file', 'edited', 'gone', 'folder', 'link'];
    for (const name of all) lchownSync(stage.path(name), 12, 34);
    const before = treeOf(stage.folder);
    const id = await stage.act(all, () => {
      for (const name of all) lchownSync(stage.path(name), 56, 78);
      put('edited', 'two');
      rmSync(stage.path('gone'));
    });
    const after = treeOf(stage.folder);
    expect(after).not.toEqual(before);
    const undo = await stage.rollBack([id]);
    expect(undo.conflicts).toEqual([]);
    expect(untimed(treeOf(stage.folder))).toEqual(untimed(before));
    await stage.rollBack([undo.id]);
    expect(untimed(treeOf(stage.folder))).toEqual(untimed(after));
  });

  it.runIf(process.getuid?.() === 0)('sees that a file was given away since', async () => {
    put('a', 'one');
    const id = await stage.act(['a'], () => put('a', 'two'));
    lchownSync(stage.path('a'), 12, 34);
    expect(await stage.rollBack([id])).toMatchObject({ done: false, conflicts: [{ path: 'a' }] });
  });

  it('has nothing to do where all is as it was', async () => {
    const id = await stage.act(['a'], () => put('a', 'x'));
    await stage.rollBack([id]);
    expect(await stage.rollBack([id])).toMatchObject({ done: false, restored: [], conflicts: [] });
  });

  it('only says what would be, if that was asked', async () => {
    const id = await stage.act(['a'], () => put('a', 'x'));
    const before = treeOf(stage.folder);
    const report = await stage.rollBack([id], { dryRun: true });
    expect(report).toMatchObject({ done: false, restored: [{ path: 'a', to: { kind: 'missing' } }] });
    expect(treeOf(stage.folder)).toEqual(before);
    expect(stage.chronicle.list()).toHaveLength(1);
  });

  it('refuses a folder that is another one now', async () => {
    const id = await stage.act(['a'], () => put('a', 'x'));
    renameSync(stage.folder, `${stage.folder}.old`);
    mkdirSync(stage.folder);
    put('a', 'x');
    await expect(stage.rollBack([id])).rejects.toMatchObject({ code: 'not_available' });
    expect(read('a')).toBe('x');
  });

  it('puts back nothing that is not what was kept', async () => {
    put('a', 'one');
    const id = await stage.act(['a'], () => put('a', 'two'));
    const { before } = stage.chronicle.read(id).changes.find(({ path }) => path === 'a') ?? {};
    if (before?.kind !== 'file') throw new Error('no file was kept');
    writeFileSync(stage.chronicle.blobs.path(before.hash), 'ONE');
    const { conflicts } = await stage.rollBack([id]);
    expect(conflicts).toEqual([{ path: 'a', reason: expect.stringContaining('is damaged') }]);
    expect(read('a')).toBe('two');
    expect(names()).toEqual(['a']);
  });
});

describe('a later edit', () => {
  it.each<[string, () => void, string]>([
    ['changed', () => put('a', 'mine'), 'was changed since'],
    ['given another mode', () => chmodSync(stage.path('a'), 0o600), 'was changed since'],
    ['deleted', () => rmSync(stage.path('a')), 'was deleted since'],
    [
      'replaced by a link',
      () => {
        rmSync(stage.path('a'));
        symlinkSync('b', stage.path('a'));
      },
      'was replaced since: it is a link now',
    ],
    [
      'replaced by a folder',
      () => {
        rmSync(stage.path('a'));
        mkdirSync(stage.path('a'));
      },
      'was replaced since: it is a folder now',
    ],
    ['made anew where one was deleted', () => put('gone', 'mine'), 'was made anew since'],
  ])('is a conflict when it was %s, and all stays as it is [U2] [FT91]', async (_what, edit, reason) => {
    for (const name of ['a', 'b', 'gone']) put(name, 'one');
    chmodSync(stage.path('a'), 0o644);
    const id = await stage.act(['a', 'b', 'gone'], () => {
      put('a', 'two');
      put('b', 'two');
      rmSync(stage.path('gone'));
    });
    edit();
    const tree = treeOf(stage.folder);
    const report = await stage.rollBack([id]);
    expect(report).toMatchObject({ done: false, conflicts: [{ reason }] });
    expect(treeOf(stage.folder)).toEqual(tree);
    const rest = await stage.rollBack([id], { skipConflicts: true });
    expect(rest).toMatchObject({ done: true, conflicts: [{ reason }] });
    expect(read('b')).toBe('one');
  });

  it('of the time alone is none', async () => {
    put('a', 'one');
    const id = await stage.act(['a'], () => put('a', 'two'));
    utimesSync(stage.path('a'), 1, 1);
    expect(await stage.rollBack([id])).toMatchObject({ done: true, conflicts: [] });
    expect(read('a')).toBe('one');
  });

  it('in a folder that was made keeps the folder', async () => {
    const id = await stage.act(['made', 'made/a'], () => {
      mkdirSync(stage.path('made'));
      put('made/a', 'x');
    });
    put('made/mine', 'mine');
    const report = await stage.rollBack([id], { skipConflicts: true });
    expect(report.conflicts).toEqual([{ path: 'made', reason: 'holds 1 that came since, mine for one' }]);
    expect(readdirSync(stage.path('made'))).toEqual(['mine']);
  });

  it('between two actions of an answer keeps both from being undone at once', async () => {
    put('a', 'one');
    const first = await stage.act(['a'], () => put('a', 'two'));
    put('a', 'mine');
    const second = await stage.act(['a'], () => appendFileSync(stage.path('a'), ' and more'));
    const report = await stage.rollBack([first, second]);
    expect(report.conflicts).toEqual([
      { path: 'a', reason: 'was changed by somebody else between two of these actions' },
    ]);
    await stage.rollBack([second]);
    expect(read('a')).toBe('mine');
  });
});

describe('a rollback never [FT88]', () => {
  const outside = () => join(stage.root, 'outside');

  it('goes through a link that a folder was replaced with', async () => {
    mkdirSync(stage.path('sub'));
    put('sub/a', 'one');
    const id = await stage.act(['sub/a'], () => put('sub/a', 'two'));
    mkdirSync(outside());
    writeFileSync(join(outside(), 'a'), 'two');
    renameSync(stage.path('sub'), join(stage.root, 'moved'));
    symlinkSync(outside(), stage.path('sub'));
    for (const skipConflicts of [false, true]) {
      const report = await stage.rollBack([id], { skipConflicts });
      expect(report.conflicts.map(({ path }) => path)).toEqual(['sub/a']);
    }
    expect(readFileSync(join(outside(), 'a'), 'utf8')).toBe('two');
  });

  it('writes over what a link leads to', async () => {
    writeFileSync(outside(), 'theirs');
    put('a', 'one');
    const id = await stage.act(['a'], () => {
      rmSync(stage.path('a'));
      symlinkSync(outside(), stage.path('a'));
    });
    expect(await stage.rollBack([id])).toMatchObject({ done: true });
    expect(read('a')).toBe('one');
    expect(lstatSync(stage.path('a')).isFile()).toBe(true);
    expect(readFileSync(outside(), 'utf8')).toBe('theirs');
  });

  it('changes a file through its other name', async () => {
    put('a', 'one');
    const id = await stage.act(['a'], () => put('a', 'two'));
    linkSync(stage.path('a'), outside());
    expect(await stage.rollBack([id])).toMatchObject({ done: true });
    expect(read('a')).toBe('one');
    expect(readFileSync(outside(), 'utf8')).toBe('two');
    // Nor its mode.
    const again = await stage.act(['a'], () => chmodSync(stage.path('a'), 0o755));
    linkSync(stage.path('a'), `${outside()}2`);
    await stage.rollBack([again]);
    expect(lstatSync(`${outside()}2`).mode & 0o777).toBe(0o755);
  });

  it.each<[string, () => void, () => void]>([
    ['a folder from a file', () => put('a', 'x'), () => mkdirSync(stage.path('a'))],
    ['a file from a folder', () => mkdirSync(stage.path('a')), () => put('a', 'x')],
    ['a folder from a link', () => symlinkSync('/', stage.path('a')), () => mkdirSync(stage.path('a'))],
    ['a link from a folder', () => mkdirSync(stage.path('a')), () => symlinkSync('..', stage.path('a'))],
  ])('gets stuck on %s', async (_what, before, after) => {
    before();
    const tree = treeOf(stage.folder);
    const id = await stage.act(['a'], () => {
      rmSync(stage.path('a'), { recursive: true });
      after();
    });
    expect(await stage.rollBack([id])).toMatchObject({ done: true, conflicts: [] });
    expect(treeOf(stage.folder)).toEqual(tree);
  });

  it('follows a name into another folder', async () => {
    for (const path of ['../outside', '/outside', 'sub/../../outside', 'a\0b']) {
      await expect(stage.take([path])).rejects.toMatchObject({ code: 'invalid_arguments' });
    }
    expect(stage.chronicle.list()).toEqual([]);
  });
});

it('keeps where links lead, to whatever bytes', async () => {
  const target = Buffer.from('a\n/\xff/../x', 'latin1');
  symlinkSync(target, stage.path('l'));
  const tree = treeOf(stage.folder);
  const id = await stage.act(['l'], () => rmSync(stage.path('l')));
  await stage.rollBack([id]);
  expect(readlinkSync(stage.path('l'), { encoding: 'buffer' })).toEqual(target);
  expect(treeOf(stage.folder)).toEqual(tree);
});
