import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { deflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderView } from './folder-view.ts';
import { GitObjects } from './git-objects.ts';

let work: string;
beforeEach(() => {
  work = mkdtempSync(`${tmpdir()}/bulkhead-objects-`);
});
afterEach(() => rmSync(work, { recursive: true }));

const BY_NAME = 7;
const BLOB = 3;

interface Entry {
  readonly name: Buffer;
  /** Head and packed content. */
  readonly bytes: Buffer;
}

const hash = (text: string) => createHash('sha1').update(text).digest();

function head(kind: number, size: number): Buffer {
  const bytes = [(kind << 4) | (size & 15)];
  for (let rest = size >> 4; rest > 0; rest >>= 7) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80;
    bytes.push(rest & 0x7f);
  }
  return Buffer.from(bytes);
}

function whole(name: Buffer, content: Buffer): Entry {
  return { name, bytes: Buffer.concat([head(BLOB, content.length), deflateSync(content)]) };
}

function delta(name: Buffer, base: Buffer, content: Buffer): Entry {
  return { name, bytes: Buffer.concat([head(BY_NAME, content.length), base, deflateSync(content)]) };
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A pack with an index of version 2, without the sums that nobody reads. */
function writePack(title: string, entries: readonly Entry[]): void {
  const folder = `${work}/.git/objects/pack`;
  mkdirSync(folder, { recursive: true });
  let at = 12;
  const placed = entries.map((entry) => {
    const offset = at;
    at += entry.bytes.length;
    return { ...entry, offset };
  });
  const sorted = placed.toSorted((a, b) => Buffer.compare(a.name, b.name));
  const counts = Array.from({ length: 256 }, (_, byte) =>
    number(sorted.filter(({ name }) => (name[0] ?? 0) <= byte).length),
  );
  const id = `${folder}/pack-${hash(title).toString('hex')}`;
  const content = Buffer.concat([Buffer.alloc(12), ...entries.map(({ bytes }) => bytes), Buffer.alloc(20)]);
  writeFileSync(`${id}.pack`, content);
  const index = [
    Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]),
    ...counts,
    ...sorted.map(({ name }) => name),
    Buffer.alloc(4 * sorted.length),
    ...sorted.map(({ offset }) => number(offset)),
    Buffer.alloc(40),
  ];
  writeFileSync(`${id}.idx`, Buffer.concat(index));
}

const named = (at: number) => hash(`object ${at}`);

/** Each a delta on the next one. */
function chain(length: number, content = Buffer.from('a')): Entry[] {
  return Array.from({ length }, (_, at) => delta(named(at), named(at + 1), content));
}

async function reads(names: readonly Buffer[], budget = { objects: 1_000, entries: 10_000, bytes: 1e9 }) {
  const all = { ...budget };
  using view = FolderView.before({ work, upper: '' });
  using objects = new GitObjects(view, '.git', budget);
  const found: (string | undefined)[] = [];
  for (const name of names) found.push((await objects.read(name.toString('hex')))?.bytes.toString());
  return {
    found,
    isLimited: objects.isLimited,
    entries: all.entries - budget.entries,
    bytes: all.bytes - budget.bytes,
  };
}

describe('packs that a command made up [B2]', () => {
  it('costs no more than its entries, in however many packs a base could lie', async () => {
    for (let pack = 0; pack < 40; pack += 1) writePack(`pack ${pack}`, chain(20));
    const { found, entries } = await reads([named(0), named(0), named(0)]);
    expect(found).toEqual([undefined, undefined, undefined]);
    // The loose file, and each entry of each pack, once.
    expect(entries).toBe(1 + 40 * 20);
  });

  it('takes every byte on the way from the budget, and says that a bound was reached', async () => {
    // Each delta copies 16 times 64 KiB of its base.
    const size = 1024 ** 2;
    const copies = Buffer.concat([
      Buffer.from([0x80, 0x80, 0x40, 0x80, 0x80, 0x40]),
      ...Array.from({ length: 16 }, () => Buffer.from([0x80])),
    ]);
    writePack('long', [...chain(50, copies), whole(named(50), Buffer.alloc(size))]);
    const all = await reads([named(0)]);
    expect(all.bytes).toBeGreaterThanOrEqual(51 * size);
    expect(all.isLimited).toBe(false);
    const little = await reads([named(0)], { objects: 1_000, entries: 10_000, bytes: 10 * size });
    expect(little.isLimited).toBe(true);
    expect(little.bytes).toBeLessThan(50 * size);
    const few = await reads([named(0)], { objects: 1_000, entries: 5, bytes: 1e9 });
    expect([few.isLimited, few.entries]).toEqual([true, 6]);
  });

  it('takes what fails from the budget as well', async () => {
    const claimed = 20 * 1024 ** 2;
    const bytes = Buffer.concat([head(BLOB, claimed), deflateSync(Buffer.from('short'))]);
    writePack('short', [{ name: named(0), bytes }]);
    mkdirSync(`${work}/.git/objects/ab`);
    writeFileSync(`${work}/.git/objects/ab/${'c'.repeat(38)}`, deflateSync(Buffer.alloc(33 * 1024 ** 2)));
    const bomb = Buffer.from(`ab${'c'.repeat(38)}`, 'hex');
    expect((await reads([bomb])).bytes).toBeGreaterThan(30 * 1024 ** 2);
    expect((await reads([named(0)])).bytes).toBeGreaterThanOrEqual(claimed);
  });

  it('ends at a chain that goes round, and at one that is too long', async () => {
    writePack('round', [
      delta(named(0), named(1), Buffer.from('a')),
      delta(named(1), named(0), Buffer.from('a')),
    ]);
    const { found, isLimited, entries } = await reads([named(0)]);
    expect([found, isLimited]).toEqual([[undefined], true]);
    expect(entries).toBeLessThan(110);
  });

  it('gives other work its turn', async () => {
    const contents = Array.from({ length: 8 }, (_, at) => Buffer.alloc(1024 ** 2, at));
    writePack(
      'large',
      contents.map((content, at) => whole(named(at), content)),
    );
    let turns = 0;
    let isRead = false;
    const count = (): void => {
      turns += 1;
      if (!isRead) setImmediate(count);
    };
    setImmediate(count);
    await reads(contents.map((_, at) => named(at)));
    isRead = true;
    expect(turns).toBeGreaterThanOrEqual(contents.length);
  });

  it('still finds what is there, also behind a delta', async () => {
    const base = Buffer.from('some content');
    const blob = createHash('sha1')
      .update(`blob ${base.length + 1}\0`)
      .update(`${base}!`)
      .digest();
    const edit = Buffer.from([12, 13, 0x90, 12, 1, 0x21]);
    writePack('one', [delta(blob, named(1), edit), whole(named(1), base)]);
    expect((await reads([blob])).found).toEqual(['some content!']);
  });
});
