import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeLayout } from '@bulkhead/protocol';
import { expect, it } from 'vitest';
import { diskReport } from './disk-report.ts';

function fails(code: string): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error(`${code}: write`), { code }));
}

it.each([
  ['ENOSPC', 'the disk is full', 'Free some space'],
  ['EROFS', 'the file system is read-only', 'Mount it for writing'],
  ['EIO', 'input/output error', 'Check the disk'],
  ['EACCES', 'EACCES', 'right to write'],
])('names the disk of a home and the way out: %s [D4] [FT80]', async (code, reason, fix) => {
  const found = diskReport(homeLayout('/none'), fails(code));
  await expect(found).rejects.toMatchObject({
    message: expect.stringContaining(`/none can't be written: ${reason}`),
    fix: expect.stringContaining(fix),
  });
});

it('writes, flushes and leaves nothing behind', async () => {
  const root = mkdtempSync(join(tmpdir(), 'bulkhead-disk-'));
  const layout = homeLayout(root);
  mkdirSync(layout.run, { recursive: true });
  expect(await diskReport(layout)).toContain(root);
  expect(readdirSync(layout.run)).toEqual([]);
  rmSync(root, { recursive: true });
});
