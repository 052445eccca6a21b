import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Descriptor } from '@bulkhead/files';
import { recordDisk } from '@bulkhead/testkit/disk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BlobStore } from './blob-store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(`${tmpdir()}/bulkhead-blobs-`);
  mkdirSync(`${folder}/blobs`);
  writeFileSync(`${folder}/f`, 'text');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a kept content', () => {
  it('is on the disk before it has its name, and its name once that was asked for [U2] [FT79]', async () => {
    const blobs = new BlobStore(`${folder}/blobs`);
    let path = '';
    const deeds = await recordDisk(async () => {
      using node = Descriptor.ofTrustedFile(`${folder}/f`);
      using file = node.openContent();
      const { hash } = await blobs.keep(file);
      path = blobs.path(hash);
      await blobs.flushNames([hash]);
    });
    expect(readFileSync(path, 'utf8')).toBe('text');
    const draft = `${folder}/blobs/new-1`;
    const shard = path.slice(0, path.lastIndexOf('/'));
    expect(deeds.filter((deed) => !deed.startsWith('unlink '))).toEqual([
      `flush ${draft}`,
      `rename ${draft} ${path}`,
      expect.stringContaining('flush '),
      expect.stringContaining('flush '),
    ]);
    expect(deeds).toEqual(expect.arrayContaining([`flush ${folder}/blobs`, `flush ${shard}`]));
  });
});
