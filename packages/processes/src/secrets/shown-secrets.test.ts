import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ShownSecrets } from './shown-secrets.ts';

let root: string;
let work: string;
let learned: string[];
let hasRoom: boolean;
let secrets: ShownSecrets;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-secrets-')));
  work = join(root, 'work');
  for (const name of ['work/apps/web', 'run']) mkdirSync(join(root, name), { recursive: true });
  learned = [];
  hasRoom = true;
  const learn = (values: readonly string[]) => {
    if (hasRoom) learned.push(...values);
    return hasRoom;
  };
  secrets = new ShownSecrets({ run: join(root, 'run'), learn });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (name: string, text: string | Buffer) => writeFileSync(join(work, name), text);

describe('ShownSecrets', () => {
  it('gives a box the content whose values are known by then, and removes it at the end [A2] [A7]', async () => {
    put('.env', 'TOKEN=k3y-abc123def456\n');
    put('apps/web/.env', 'OTHER=x9y-abc123def456\n');
    const opened = await secrets.open(['.env', 'apps/web/.env'], work, 'action');
    expect(learned).toEqual(expect.arrayContaining(['k3y-abc123def456', 'x9y-abc123def456']));
    expect(opened.filled?.paths).toEqual([join(work, '.env'), join(work, 'apps/web/.env')]);
    const from = opened.filled?.from ?? '';
    // A later content is not shown: no redaction knows it.
    put('.env', 'TOKEN=later-abc123def456\n');
    expect(['1', '2'].map((name) => readFileSync(join(from, name), 'utf8'))).toEqual([
      'TOKEN=k3y-abc123def456\n',
      'OTHER=x9y-abc123def456\n',
    ]);
    opened[Symbol.dispose]();
    expect(readdirSync(join(root, 'run'))).toEqual([]);
  });

  it('shows nothing whose values could not be hidden [A7]', async () => {
    put('.env', 'TOKEN=k3y-abc123def456\n');
    hasRoom = false;
    using opened = await secrets.open(['.env'], work, 'action');
    expect([opened.filled, opened.shown]).toEqual([undefined, []]);
    expect(opened.remarks).toEqual([expect.stringContaining('.env is not shown: too many values')]);
  });

  it.each([
    ['a link to a key', 'no plain file', () => symlinkSync(join(root, 'key'), join(work, '.env'))],
    ['another name of a key', 'more than one name', () => linkSync(join(root, 'key'), join(work, '.env'))],
    ['a folder', 'no plain file', () => mkdirSync(join(work, '.env'))],
    ['bytes', 'not clear', () => put('.env', Buffer.from([0, 1, 2]))],
    ['no UTF-8', 'not clear', () => put('.env', Buffer.from('A=\xff', 'latin1'))],
    ['too long', 'longer than 64 KiB', () => put('.env', 'A=b\n'.repeat(20_000))],
    ['gone', 'not there', () => {}],
  ])('neither offers nor shows what is %s [A2]', async (_what, why, make) => {
    writeFileSync(join(root, 'key'), 'canary\n');
    make();
    const offered = await secrets.offerable(['.env'], work);
    expect(offered).toEqual({ needs: [], refused: [expect.stringContaining(why)] });
    using opened = await secrets.open(['.env'], work, 'action');
    expect(opened.filled).toBeUndefined();
    expect(opened.remarks).toEqual([expect.stringContaining(why)]);
  });

  it('reaches nothing through a folder that is a link, and no key [A2]', async () => {
    mkdirSync(join(root, 'other'));
    writeFileSync(join(root, 'other/.env'), 'TOKEN=canary-abc123\n');
    symlinkSync(join(root, 'other'), join(work, 'linked'));
    put('server.pem', 'x');
    using opened = await secrets.open(['linked/.env', 'server.pem', '../other/.env'], work, 'action');
    expect(opened.filled).toBeUndefined();
    expect(learned).toEqual([]);
  });

  it('offers 16 files at most, and says so', async () => {
    const names = Array.from({ length: 17 }, (_, at) => `.env.${at}`);
    for (const name of names) put(name, 'TOKEN=k3y-abc123def456\n');
    const { needs, refused } = await secrets.offerable(names, work);
    expect(needs).toEqual(names.slice(0, 16));
    expect(refused).toEqual([expect.stringContaining('17 files with credentials')]);
  });

  it('offers no empty file, and removes what a killed engine left', async () => {
    put('.env', '');
    expect(await secrets.offerable(['.env'], work)).toEqual({ needs: [], refused: [] });
    mkdirSync(join(root, 'run/shown-left'));
    for (const name of ['shown-left/1', 'engine.sock']) writeFileSync(join(root, 'run', name), 'x');
    ShownSecrets.begin({ run: join(root, 'run'), learn: () => true });
    expect(readdirSync(join(root, 'run'))).toEqual(['engine.sock']);
  });
});
