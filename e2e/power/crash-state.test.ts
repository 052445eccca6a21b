import { SeededRandom } from '@bulkhead/testkit/simulation';
import { describe, expect, it } from 'vitest';
import { crashState, type Shape } from './crash-state.ts';
import { DiskModel } from './disk-model.ts';
import { Durability } from './durability.ts';
import type { Birth, ObjectId, Operation } from './operation.ts';

const MOMENT = { seconds: 1, nanoseconds: 0 };
const ROOT = 1;

type Bare = Operation extends infer One
  ? One extends Operation
    ? Omit<One, 'begun' | 'ended'>
    : never
  : never;

function birth(type: Birth['type'], number: number): Birth {
  return { type, number, mode: 0o600, born: MOMENT, changed: MOMENT, target: '' };
}

function record(...bare: readonly Bare[]): readonly Operation[] {
  const root: Bare = { kind: 'make', object: ROOT, birth: birth('folder', 2), at: undefined };
  return [root, { kind: 'flush-all' } satisfies Bare, ...bare].map(
    (one, index): Operation => ({ ...one, begun: index * 10 + 1, ended: index * 10 + 5 }),
  );
}

const make = (object: ObjectId, name: string, folder = ROOT): Bare => ({
  kind: 'make',
  object,
  birth: birth('file', object + 10),
  at: { folder, name },
});
const write = (object: ObjectId, text: string, offset = 0): Bare => ({
  kind: 'write',
  object,
  offset,
  bytes: Buffer.from(text),
  changed: MOMENT,
});
const rename = (from: string, to: string): Bare => ({
  kind: 'rename',
  from: { folder: ROOT, name: from },
  to: { folder: ROOT, name: to },
  isExchange: false,
});
const flush = (object: ObjectId): Bare => ({ kind: 'flush', object });

function filesAt(operations: readonly Operation[], shape: Shape, seed = 1): Readonly<Record<string, string>> {
  const durability = new Durability(operations);
  const state = crashState(operations, durability, operations.length, shape, new SeededRandom(seed));
  const placed = [...DiskModel.after(state).placed()].filter(({ path }) => path !== '');
  return Object.fromEntries(placed.map(({ path, object }) => [path, Buffer.from(object.bytes).toString()]));
}

/** A replacement of a file: with a flush of the new content it is safe on every file system. */
const old = [make(2, 'file'), write(2, 'old'), flush(2), flush(ROOT)];
const unflushed = record(...old, make(3, 'new'), write(3, 'fresh'), rename('new', 'file'));
const flushed = record(
  ...old,
  make(3, 'new'),
  write(3, 'fresh'),
  flush(3),
  rename('new', 'file'),
  flush(ROOT),
);

describe('a disk after a loss of power', () => {
  it('may hold an empty file where one was renamed into place without a flush', () => {
    expect(filesAt(unflushed, 'all')).toEqual({ file: 'fresh' });
    expect(filesAt(unflushed, 'names')).toEqual({ file: '' });
    expect(filesAt(unflushed, 'flushed')).toEqual({ file: 'old' });
  });

  it('holds in every shape what was flushed before it was renamed, if its folder was flushed too', () => {
    const shapes = ['all', 'flushed', 'names', 'sampled'] as const;
    const seeds = Array.from({ length: 200 }, (_, index) => index);
    for (const shape of shapes)
      for (const seed of seeds) expect(filesAt(flushed, shape, seed)).toEqual({ file: 'fresh' });
  });

  it('keeps what a flush had begun before only if it had ended before', () => {
    const [root, all, made, wrote, flushing] = record(make(2, 'file'), write(2, 'text'), flush(2));
    if (!root || !all || !made || !wrote || !flushing) throw new Error('the record has five operations');
    const late = [root, all, made, { ...wrote, ended: flushing.begun + 1 }, flushing];
    expect(filesAt(late, 'flushed')).toEqual({ file: '' });
  });

  it('may have lost, torn or blanked any write that was not flushed, and nothing else', () => {
    const pages = 'a'.repeat(6_000);
    const operations = record(make(2, 'file'), flush(2), flush(ROOT), write(2, pages), write(2, 'b', 6_000));
    const contents = new Set(
      Array.from({ length: 400 }, (_, seed) => filesAt(operations, 'sampled', seed)['file'] ?? 'gone'),
    );
    expect(contents).toContain('');
    expect(contents).toContain(`${pages}b`);
    expect(contents).toContain(`${'\0'.repeat(6_000)}b`);
    expect(contents).toContain('a'.repeat(4_096));
    expect([...contents].every((content) => /^[ab\0]*$/.test(content))).toBe(true);
  });

  it('may have names of one folder that are newer than lost names of another, but never a gap in one folder', () => {
    const folder: Bare = {
      kind: 'make',
      object: 5,
      birth: birth('folder', 15),
      at: { folder: ROOT, name: 'other' },
    };
    const operations = record(
      folder,
      flush(5),
      flush(ROOT),
      make(6, 'first', 5),
      make(7, 'second', 5),
      make(8, 'late'),
    );
    const names = new Set(
      Array.from({ length: 400 }, (_, seed) =>
        Object.keys(filesAt(operations, 'sampled', seed))
          .toSorted()
          .join(' '),
      ),
    );
    expect(names).toContain('late other');
    expect(names).toContain('other other/first other/second');
    for (const one of names) if (one.includes('second')) expect(one).toContain('first');
  });
});
