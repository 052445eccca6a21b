import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { recordDisk } from '@bulkhead/testkit/disk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Descriptor } from './descriptor.ts';
import { lookAtEntry } from './folder-entries.ts';
import { putFile, putFileSync } from './put-file.ts';
import { replaceFile } from './replace-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(`${tmpdir()}/bulkhead-put-`);
});
afterEach(() => rmSync(folder, { recursive: true }));

const shown = (deeds: readonly string[]): string[] =>
  deeds
    .filter((deed) => !deed.startsWith('rm '))
    .map((deed) => deed.replaceAll(`${folder}/`, '').replace(folder, '.'));

describe.each([
  ['putFileSync', async (path: string, text: string) => putFileSync(path, text)],
  ['putFile', (path: string, text: string) => putFile(path, text)],
])('%s', (_name, put) => {
  it('flushes the content before its name, and the folder after it [FT79]', async () => {
    const deeds = await recordDisk(() => put(`${folder}/f`, 'text'));
    expect(shown(deeds)).toEqual(['flush f.new', 'rename f.new f', 'flush .']);
    expect(readFileSync(`${folder}/f`, 'utf8')).toBe('text');
    expect(statSync(`${folder}/f`).mode & 0o777).toBe(0o600);
  });

  it('takes no draft that was left, and leaves none when it fails', async () => {
    writeFileSync(`${folder}/f.new`, 'left by a crash', { mode: 0o644 });
    await put(`${folder}/f`, 'text');
    expect(statSync(`${folder}/f`).mode & 0o777).toBe(0o600);
    mkdirSync(`${folder}/taken/x`, { recursive: true });
    await expect(put(`${folder}/taken`, 'text')).rejects.toMatchObject({ code: 'EISDIR' });
    expect(readdirSync(folder).toSorted()).toEqual(['f', 'taken']);
  });
});

describe('putFile', () => {
  it('waits for what has to be on the disk first, and leaves nothing if that fails [U2]', async () => {
    const first = Promise.withResolvers<void>();
    const put = putFile(`${folder}/f`, 'text', { first: first.promise });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(readdirSync(folder)).toEqual(['f.new']);
    first.reject(new Error('not flushed'));
    await expect(put).rejects.toThrow('not flushed');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('replaceFile', () => {
  it.each(['old', undefined])(
    'flushes the content before its name, and the folder after it: over %s [FT79]',
    async (old) => {
      if (old !== undefined) writeFileSync(`${folder}/f`, old);
      using root = Descriptor.ofTrustedFolder(folder);
      const name = Buffer.from('f');
      const expected = lookAtEntry(root, name);
      const temporary = Buffer.from('draft');
      const content = Buffer.from('text');
      const deeds = shown(
        await recordDisk(() => replaceFile({ folder: root, name, content, expected, shown: 'f', temporary })),
      );
      const named = deeds.findIndex((deed) => /^(rename|link) /.test(deed));
      expect(deeds.indexOf('flush draft')).toBeGreaterThan(-1);
      expect(named).toBeGreaterThan(deeds.indexOf('flush draft'));
      expect(deeds.lastIndexOf('flush .')).toBeGreaterThan(named);
      expect(readFileSync(`${folder}/f`, 'utf8')).toBe('text');
    },
  );
});
