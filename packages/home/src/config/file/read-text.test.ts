import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readText } from './read-text.ts';

let folder: string;
const at = (name: string) => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-policy-text-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('reads a file, also by a link; one that is missing is none', () => {
  writeFileSync(at('a'), 'version: 1');
  symlinkSync(at('a'), at('link'));
  expect([readText(at('a')), readText(at('link')), readText(at('b'))]).toEqual([
    'version: 1',
    'version: 1',
    undefined,
  ]);
});

it('reads nothing of a file that is too large, and waits for no pipe [FR12]', () => {
  const large = openSync(at('large'), 'w');
  ftruncateSync(large, 64 * 1024 ** 3);
  closeSync(large);
  execFileSync('mkfifo', [at('pipe')]);
  expect(() => readText(at('large'))).toThrow('larger than 1048576 bytes');
  expect(() => readText(at('pipe'))).toThrow('it is no file');
  expect(() => readText(folder)).toThrow('it is no file');
});
