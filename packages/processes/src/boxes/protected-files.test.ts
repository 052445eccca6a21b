import { linkSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { objectId } from '@bulkhead/files';
import { homeLayout, systemClock } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linkedPlaces } from './linked-places.ts';
import { ProtectedFiles } from './protected-files.ts';

let user: string;
let files: ProtectedFiles;

function put(path: string): string {
  const whole = join(user, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, path);
  return whole;
}

const statOf = (path: string) => lstatSync(path, { bigint: true });
const isProtected = async (path: string) => (await files.answerer()([statOf(path)]))[0];

beforeEach(() => {
  user = mkdtempSync(join(tmpdir(), 'bulkhead-protected-'));
  const layout = homeLayout(join(user, '.bulkhead'));
  files = new ProtectedFiles({ layout, userHome: user, clock: systemClock });
});
afterEach(() => rmSync(user, { recursive: true, force: true }));

describe('ProtectedFiles', () => {
  it('knows what is ours and what may hold credentials, and nothing else [A2] [FT13]', async () => {
    const closed = ['.bulkhead/config.yaml', '.bulkhead/state/x.db', '.ssh/id', '.aws/sub/key', '.netrc'];
    const outputs = homeLayout(join(user, '.bulkhead')).outputs.slice(user.length + 1);
    const open = ['project/a.ts', '.bashrc', `${outputs}/s1/a.txt`];
    for (const path of [...closed, ...open]) put(path);
    symlinkSync(join(user, 'project'), join(user, '.kube'));
    for (const path of closed) expect(await isProtected(join(user, path)), path).toBe(true);
    for (const path of open) expect(await isProtected(join(user, path)), path).toBe(false);
  });

  it('sees a link that is made after it was asked, and forgets a file that is gone [FT13]', async () => {
    const key = put('.ssh/id');
    expect(await isProtected(put('project/a'))).toBe(false);
    linkSync(key, join(user, 'project/link'));
    expect(await isProtected(join(user, 'project/link'))).toBe(true);
    rmSync(join(user, '.ssh'), { recursive: true });
    // The inode is the user's now.
    linkSync(join(user, 'project/link'), join(user, 'project/again'));
    expect(await isProtected(join(user, 'project/link'))).toBe(false);
  });

  it('finds other names in a folder: of protected files, and of files there that are hidden by name [FT13]', async () => {
    const key = put('.ssh/id');
    linkSync(key, join(user, '.ssh/twice'));
    const folder = join(user, 'project');
    const env = put('project/.env');
    put('project/a/plain');
    expect(await files.linked()).toEqual(new Map());
    const all = async () => (await linkedPlaces(folder, await files.linked(), [['.env']])).found;
    expect(await all()).toEqual([]);
    linkSync(key, join(folder, 'a/guide.md'));
    linkSync(env, join(folder, 'example'));
    linkSync(join(folder, 'a/plain'), join(folder, 'plain-too'));
    expect(await files.linked()).toEqual(new Map([[objectId(statOf(key)), 1]]));
    expect((await all()).toSorted()).toEqual([['a', 'guide.md'], ['example']]);
  });

  it('looks at one file of each folder of the chronicle, and at all once any has another name [FT13] [FG10]', async () => {
    const blobs = ['ab', 'cd'].flatMap((shard) =>
      Array.from({ length: 300 }, (_, n) => put(`.bulkhead/state/chronicle/blobs/${shard}/${shard}${n}`)),
    );
    const few = new ProtectedFiles({
      layout: homeLayout(join(user, '.bulkhead')),
      userHome: user,
      clock: systemClock,
      maxEntries: 100,
    });
    expect(await few.linked()).toEqual(new Map());
    expect(await files.linked()).toEqual(new Map());
    // As a copy by hard links makes them: with their siblings, or only one of the folders.
    const config = put('.bulkhead/config.yaml');
    const last = blobs.at(-1) ?? '';
    mkdirSync(join(user, 'project'));
    linkSync(last, join(user, 'project/blob'));
    linkSync(config, join(user, 'project/config'));
    expect((await files.linked()).size).toBe(2);
    expect(await isProtected(join(user, 'project/blob'))).toBe(true);
    rmSync(join(user, 'project/config'));
    for (const [n, blob] of blobs.slice(0, 300).entries()) linkSync(blob, join(user, `project/copy-${n}`));
    expect((await files.linked()).size).toBe(301);
    expect(await isProtected(join(user, 'project/copy-299'))).toBe(true);
  });

  it('fails closed where there is too much to look at [FG10]', async () => {
    const key = put('.ssh/id');
    for (let n = 0; n < 20; n += 1) put(`.ssh/${n}`);
    const layout = homeLayout(join(user, '.bulkhead'));
    const few = new ProtectedFiles({ layout, userHome: user, clock: systemClock, maxEntries: 10 });
    await expect(few.linked()).rejects.toThrow('there are more than 10 files');
    await expect(few.answerer()([statOf(key)])).rejects.toThrow('there are more than 10 files');
  });

  it('walks for one worker 60 times a minute; over that, all it asks about is closed to it [FG10]', async () => {
    const time = { now: Date.now(), monotonic: 0 };
    const clock = { now: () => time.now, monotonic: () => time.monotonic };
    const layout = homeLayout(join(user, '.bulkhead'));
    const here = new ProtectedFiles({ layout, userHome: user, clock });
    const plain = statOf(put('project/a'));
    const [one, other] = [here.answerer(), here.answerer()];
    const pass = (ms: number) => {
      time.now += ms;
      time.monotonic += ms;
    };
    // A file that changed in the future is never answered by an earlier walk.
    const fresh = { dev: plain.dev, ino: plain.ino, ctimeNs: BigInt(time.now + 3_600_000) * 1_000_000n };
    for (let n = 0; n < 60; n += 1) expect(await one([fresh])).toEqual([false]);
    expect(await one([fresh])).toEqual([true]);
    expect(await other([fresh])).toEqual([false]);
    pass(60_000);
    expect(await one([fresh])).toEqual([false]);
  });

  it('finds nothing where there is no home yet', async () => {
    const layout = homeLayout(join(user, 'none'));
    const none = new ProtectedFiles({ layout, userHome: undefined, clock: systemClock });
    expect(await none.linked()).toEqual(new Map());
    expect(none.shownIn(user)).toEqual([]);
  });
});
