import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pathsBelow } from './strace-log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-strace-'));
  writeFileSync(join(folder, '.env'), '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['a whole name', () => `12 openat(AT_FDCWD</>, "${folder}/.env", O_RDONLY) = 3<${folder}/.env>`],
  ['a whole name that is missing', () => `12 stat("${folder}/.env", 0x1) = -1 ENOENT`],
  ['a name in the working folder', () => `12 access(".env", F_OK) = 0`],
  ['a name in a folder that is open', () => `12 openat(7<${folder}>, ".env", O_RDONLY) = -1 EACCES`],
  [
    'what a descriptor turned out to be',
    () => `12 openat(AT_FDCWD</>, "/proc/self/fd/9", 0) = 3<${folder}/.env>`,
  ],
  ['a name on a detour', () => `12 open("${folder}/x/../.env", O_RDONLY) = 4`],
  ['a program', () => `12 execve("${folder}/.env", ["x"], 0x0 /* 2 vars */) = 0`],
])('sees %s', (_name, line) => {
  expect(new Set(pathsBelow(line(), folder))).toEqual(new Set(['.env']));
});

it.each([
  ['the folder itself', () => `12 openat(AT_FDCWD</>, "${folder}", O_PATH) = 3<${folder}>`],
  ['another with a longer name', () => `12 open("${folder}-2/.env", O_RDONLY) = 3<${folder}-2/.env>`],
  ['what a program is told', () => `12 execve("/bin/x", ["x", "${folder}/.env"], 0x0) = 0`],
  ['a relative name that nothing here has', () => `12 readlink("/bin", "usr/bin", 256) = 7`],
])('leaves out %s', (_name, line) => {
  expect(pathsBelow(line(), folder)).toEqual([]);
});
