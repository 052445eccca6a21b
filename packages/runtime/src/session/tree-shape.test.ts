import type { TreeNode } from '@bulkhead/sessions';
import { describe, expect, it } from 'vitest';
import { TreeShape } from './tree-shape.ts';

/** `a>b` is a message b that follows a; `a>b:label` a mark. */
const nodes = (...words: readonly string[]): readonly TreeNode[] =>
  words.map((word) => {
    const [, parent = '', id = '', type = 'message_end'] = /^(\w*)>(\w+)(?::(\w+))?$/.exec(word) ?? [];
    return { id, parent: parent === '' ? null : parent, type, session: 's' };
  });

describe('TreeShape', () => {
  it('says which messages stand in one place, whatever marks lie between', () => {
    const shape = new TreeShape(nodes('>a', 'a>b', 'b>pin:custom', 'pin>c', 'b>d', 'd>e', '>f'));
    expect(shape.siblings('c')).toEqual(['c', 'd']);
    expect(shape.siblings('d')).toEqual(['c', 'd']);
    expect(shape.siblings('a')).toEqual(['a', 'f']);
    for (const alone of ['b', 'e', 'pin', 'nowhere']) expect(shape.siblings(alone)).toEqual([]);
  });

  it('takes a branch up where it was left: at its newest entry, never at a label or title', () => {
    const all = nodes('>a', 'a>b', 'b>c', 'a>d', 'd>e', 'c>g', 'g>l:label', 'g>t:session_title');
    const shape = new TreeShape(all);
    expect(shape.end('b')).toBe('g');
    expect(shape.end('d')).toBe('e');
    expect(shape.end('a')).toBe('g');
    expect(shape.end('e')).toBe('e');
  });

  it('knows the way from an entry to the root', () => {
    const shape = new TreeShape(nodes('>a', 'a>b', 'a>c', 'c>d'));
    expect([...shape.path('d')]).toEqual(['d', 'c', 'a']);
    expect([...shape.path(null)]).toEqual([]);
  });
});
