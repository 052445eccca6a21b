import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HomeLayout, homeLayout } from '@bulkhead/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clearFetchFolders, makeFetchFolder } from './fetch-folder.ts';

let layout: HomeLayout;
beforeEach(() => {
  layout = homeLayout(mkdtempSync(join(tmpdir(), 'bulkhead-fetch-')));
});
afterEach(() => rmSync(layout.root, { recursive: true, force: true }));

it('clears what a killed process left, and nothing of one that lives [SK2]', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const theirs = join(layout.fetched, `${other.pid}-abc`);
  mkdirSync(join(theirs, 'repository'), { recursive: true });
  writeFileSync(join(theirs, 'repository', 'pack'), 'x');
  mkdirSync(join(layout.fetched, 'of-nobody'));
  const mine = makeFetchFolder(layout);
  expect(statSync(mine).mode & 0o777).toBe(0o700);
  expect(readdirSync(layout.fetched)).toHaveLength(2);
  other.kill('SIGKILL');
  await once(other, 'exit');
  clearFetchFolders(layout);
  expect(readdirSync(layout.fetched)).toEqual([mine.slice(mine.lastIndexOf('/') + 1)]);
});

it('says where no folder can be made [I1]', () => {
  writeFileSync(`${layout.root}/state`, 'a file');
  expect(() => makeFetchFolder(layout)).toThrow(`no folder can be made in ${layout.fetched}`);
  expect(() => clearFetchFolders(layout)).not.toThrow();
});
