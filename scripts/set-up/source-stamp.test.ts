import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isBuilt, sourceStamp } from './source-stamp.mjs';

const RUNTIME = '/opt/node';
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bulkhead-stamp-'));
  mkdirSync(join(root, 'packages/a/src'), { recursive: true });
  mkdirSync(join(root, 'dist'));
  write('packages/a/src/main.ts', '1');
  write('package.json', '{}');
  symlinkSync(RUNTIME, join(root, 'dist/node'));
  write('dist/build.json', JSON.stringify({ source: sourceStamp(root) }));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('is built when nothing changed', () => {
  expect(isBuilt(root, RUNTIME)).toBe(true);
});

it.each([
  ['a source file changes', () => write('packages/a/src/main.ts', '12')],
  ['one is rewritten with the same size', () => utimesSync(join(root, 'packages/a/src/main.ts'), 1, 1)],
  ['one is added', () => write('packages/a/src/more.ts', '')],
  ['one is removed', () => rmSync(join(root, 'packages/a/src/main.ts'))],
  ['the dependencies change', () => write('package-lock.json', '{}')],
  ['the build is gone', () => rmSync(join(root, 'dist'), { recursive: true })],
  [
    'its report is half written',
    () => write('dist/build.json', readFileSync(join(root, 'dist/build.json'), 'utf8').slice(0, 20)),
  ],
])('is not built when %s', (_what, change) => {
  change();
  expect(isBuilt(root, RUNTIME)).toBe(false);
});

it('is not built when it was made for another Node.js', () => {
  expect(isBuilt(root, '/other/node')).toBe(false);
});

it('is still built when only a test changes', () => {
  write('packages/a/src/main.test.ts', '1');
  expect(isBuilt(root, RUNTIME)).toBe(true);
});

function write(path: string, text: string): void {
  writeFileSync(join(root, path), text);
}

it('tells of a build in another folder by what lies there', () => {
  expect(isBuilt(root, RUNTIME, 'dist-faults')).toBe(false);
  cpSync(join(root, 'dist'), join(root, 'dist-faults'), { recursive: true, verbatimSymlinks: true });
  expect(isBuilt(root, RUNTIME, 'dist-faults')).toBe(true);
});
