import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { type TreeEntry, TreeEntrySchema } from '../gen/bulkhead/client/v1/sessions_pb.ts';
import { treeRows } from './tree-rows.ts';

/** `a>b:kind` is an entry b that follows a; `#` names it. */
const entries = (...words: readonly string[]): readonly TreeEntry[] =>
  words.map((word) => {
    const [, parentId = '', entryId = '', kind = 'user', label = ''] =
      /^(\w*)>(\w+)(?::(\w+))?(?:#(\w+))?$/.exec(word) ?? [];
    return create(TreeEntrySchema, { parentId, entryId, kind, label });
  });
const drawn = (all: readonly TreeEntry[]) =>
  treeRows(all).map(({ entry, depth }) => `${'-'.repeat(depth)}${entry.entryId}`);

describe('treeRows', () => {
  it('draws each branch whole, deeper than the place where it leaves [I3]', () => {
    const all = entries('>a', 'a>b:assistant', 'b>c', 'c>d:assistant', 'b>e', 'e>f:assistant', 'f>g', 'd>h');
    expect(drawn(all)).toEqual(['a', 'b', '-c', '-d', '-h', '-e', '-f', '-g']);
    expect(treeRows(all).map(({ parent }) => parent)).toEqual([undefined, 0, 1, 2, 3, 1, 5, 6]);
  });

  it('leaves out steps of an answer and marks, but what somebody named', () => {
    const all = entries('>a', 'a>b:assistant', 'b>c:tool', 'c>d:assistant', 'a>l:label', 'd>p:custom', 'p>e');
    expect(drawn(all)).toEqual(['a', 'd', 'e']);
    expect(drawn(entries('>a', 'a>b:assistant', 'b>c:tool#here'))).toEqual(['a', 'c']);
  });

  it('leaves out marks alone, where all steps are asked for', () => {
    const all = entries('>a', 'a>b:assistant', 'b>c:tool', 'c>d:assistant', 'a>l:label', 'd>p:custom', 'p>e');
    expect(treeRows(all, 'all').map(({ entry }) => entry.entryId)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('begins at the first known entry if the beginning is missing', () => {
    expect(drawn(entries('x>a', 'a>b:assistant'))).toEqual(['a', 'b']);
    expect(drawn(entries('>a', '>b', 'b>c:assistant'))).toEqual(['-a', '-b', '-c']);
    expect(drawn([])).toEqual([]);
  });

  it('draws ten thousand in a row', () => {
    const all = entries('>e0', ...Array.from({ length: 9_999 }, (_, at) => `e${at}>e${at + 1}`));
    expect(treeRows(all)).toHaveLength(10_000);
  });
});
