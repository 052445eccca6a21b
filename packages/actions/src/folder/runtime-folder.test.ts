import { chmodSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRuntimeFolders } from '@bulkhead/home/folder/runtime-folder';
import { makeRuntimeFolder } from '@bulkhead/home/testing';
import { pathRefusal } from '@bulkhead/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { refuseUnsafeWorkingFolder } from '../pipeline/protection.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-runtime-')));
});
afterEach(() => {
  for (const folder of findRuntimeFolders(home)) rmSync(folder, { recursive: true });
  rmSync(home, { recursive: true });
});

it('is private, and the same for everybody who names the home, by whatever path [P7]', () => {
  expect(findRuntimeFolders(home)).toEqual([]);
  const folder = makeRuntimeFolder(home);
  expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  symlinkSync(home, join(home, 'link'));
  expect(findRuntimeFolders(join(home, 'link'))).toEqual([folder]);
  expect(makeRuntimeFolder(home)).toBe(folder);
});

it('is not used where others can write to it, or where it is a link or a file of somebody else [P7]', () => {
  const folder = makeRuntimeFolder(home);
  chmodSync(folder, 0o770);
  expect(findRuntimeFolders(home)).toEqual([]);
  const other = makeRuntimeFolder(home);
  expect(other).not.toBe(folder);
  rmSync(other, { recursive: true });
  rmSync(folder, { recursive: true });
  mkdirSync(join(home, 'elsewhere'), { mode: 0o700 });
  symlinkSync(join(home, 'elsewhere'), folder);
  try {
    expect(findRuntimeFolders(home)).toEqual([]);
  } finally {
    rmSync(folder);
  }
});

it('lies where no agent can plant, list or open anything, wherever it works [P7]', () => {
  const folder = makeRuntimeFolder(home);
  for (const access of ['read', 'write'] as const)
    expect(pathRefusal(folder.split('/').filter(Boolean), access)).toBeDefined();
  expect(() => refuseUnsafeWorkingFolder(folder, home)).toThrow('belongs to Bulkhead itself');
});
