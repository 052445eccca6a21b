import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

it('makes what is missing, private, and fails where nothing can be made [I1]', () => {
  const root = mkdtempSync(join(tmpdir(), 'bulkhead-make-'));
  try {
    makeFolder(join(root, 'a/b/c'));
    makeFolder(join(root, 'a/b/c'));
    expect(statSync(join(root, 'a/b/c')).mode & 0o777).toBe(0o700);
    writeFileSync(join(root, 'file'), '');
    expect(() => makeFolder(join(root, 'file/x'))).toThrow('ENOTDIR');
    expect(() => makeFolder(`${'/proc'}/nothing/can/be/made`)).toThrow('ENOENT');
    expect(existsSync('/proc/nothing')).toBe(false);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
