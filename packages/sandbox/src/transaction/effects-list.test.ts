import type { ObservedChange } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { EffectsList } from './effects-list.ts';

const link = (path: Uint8Array): ObservedChange => ({
  path,
  what: 'created',
  kind: 'link',
  was: 'missing',
  mode: 0o777,
  wasMode: 0,
  size: 0,
  wasSize: 0,
  links: 0,
});

/** All entries share one buffer: the limit counts bytes of names, wherever they are stored. */
function listOf(count: number, bytes: number, target?: Uint8Array) {
  const list = new EffectsList();
  const path = new Uint8Array(bytes).fill(0x61);
  list.take({ type: 'ended', status: 0 });
  for (let index = 0; index < count; index += 1) {
    list.take({ type: 'change', change: link(path) });
    if (target !== undefined) list.take({ type: 'target', target });
  }
  return list.take({ type: 'effects', count });
}

describe('EffectsList', () => {
  it('holds no more bytes of names than it may, and lets nothing be kept then [A4]', () => {
    const most = 64 * 1024 * 1024;
    expect(listOf(most / 4096, 4096)?.problems).toEqual([]);
    const over = listOf(most / 4096 + 10, 4096);
    expect(over?.problems).toMatchObject([{ code: 'too-many' }]);
    expect(over?.changes).toHaveLength(most / 4096);
    const targets = listOf(most / 4096, 96, new Uint8Array(4096));
    expect(targets?.problems).toMatchObject([{ code: 'too-many' }]);
  });

  it('takes only as many entries as it may, and a count that is right', () => {
    expect(() => listOf(500_001, 1)).toThrow('more than 500000');
    const list = new EffectsList();
    list.take({ type: 'ended', status: 0 });
    expect(() => list.take({ type: 'effects', count: 1 })).toThrow('out of its place');
  });
});
