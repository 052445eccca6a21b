import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Descriptor } from './descriptor.ts';
import { objectId } from './object-id.ts';
import { openFolderBelow } from './open-below.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-below-'));
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  symlinkSync('a', join(folder, 'link'));
  writeFileSync(join(folder, 'file'), '');
});

afterEach(() => rmSync(folder, { recursive: true }));

function idBelow(names: readonly string[]): string | undefined {
  using root = Descriptor.ofTrustedFolder(folder);
  using found = openFolderBelow(
    root,
    names.map((name) => Buffer.from(name)),
  );
  return found && objectId(found.stat());
}

it('opens the folder and what lies below it, and follows no link', () => {
  using b = Descriptor.ofTrustedFolder(join(folder, 'a/b'));
  using root = Descriptor.ofTrustedFolder(folder);
  expect(idBelow([])).toBe(objectId(root.stat()));
  expect(idBelow(['a', 'b'])).toBe(objectId(b.stat()));
  for (const way of [['link'], ['link', 'b'], ['file'], ['file', 'x'], ['gone'], ['a', 'gone', 'x']]) {
    expect(idBelow(way)).toBeUndefined();
  }
});

it('takes no name that is more than one component', () => {
  for (const name of ['..', '.', '', 'a/b', 'a\0']) expect(() => idBelow([name])).toThrow(RangeError);
});
