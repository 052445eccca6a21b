import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeLayout } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shellBox } from './shell-box.ts';

let root: string;
let app: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-neighbour-')));
  app = join(root, 'app');
  for (const name of ['app', 'lib/.ssh', 'node_modules/package'])
    mkdirSync(join(root, name), { recursive: true });
  for (const name of ['.env', 'lib/server.key', 'app/.env', 'lib/a.txt'])
    writeFileSync(join(root, name), 'x');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const FILES = { linked: async () => new Map<string, number>(), shownIn: () => [], mountedIn: () => [] };
const prepare = (files: Parameters<typeof shellBox>[2] = FILES) =>
  shellBox(app, homeLayout('/nowhere/.bulkhead'), files, {
    root: { path: root, inode: statSync(root, { bigint: true }).ino },
  });
const paths = (...names: readonly string[]) => names.map((name) => join(root, name));

describe('guardNeighbour', () => {
  it('hides what may hold credentials around the working folder, as in it [A2]', async () => {
    const { box, around } = await prepare();
    expect(box.neighbours).toEqual([expect.objectContaining({ path: root })]);
    expect(box.hide.toSorted()).toEqual(paths('.env', 'app/.env', 'lib/.ssh'));
    expect(box.deny).toEqual(paths('lib/server.key'));
    expect(around?.hidden.toSorted()).toEqual(['.env', 'lib/.ssh', 'lib/server.key']);
  });

  it('hides other names of a hidden file, on both sides [A2]', async () => {
    linkSync(join(root, '.env'), join(app, 'copy.txt'));
    linkSync(join(root, 'app/.env'), join(root, 'lib/copy.txt'));
    const { box } = await prepare();
    expect(box.deny?.toSorted()).toEqual(paths('app/copy.txt', 'lib/copy.txt', 'lib/server.key'));
  });

  it.each([
    ['a file system is mounted in it', { mountedIn: () => ['/mounted'] }],
    ['there are too many places to hide', {}],
    ['one can’t be hidden', {}],
  ])('shows nothing where %s', async (why, files) => {
    if (why.includes('many')) for (let n = 0; n < 301; n += 1) writeFileSync(join(root, `lib/${n}.pem`), 'x');
    if (why.includes('one')) writeFileSync(Buffer.from(`${root}/lib/.env.\xff`, 'latin1'), 'x');
    const { box, around } = await prepare({ ...FILES, ...files });
    expect(box.neighbours).toBeUndefined();
    expect(box.hide).toEqual(paths('app/.env'));
    expect(around?.problem).toBeDefined();
  });
});
