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
const isProtected = async (path: string) => (await files.areProtected([statOf(path)]))[0];

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

  it('finds nothing where there is no home yet', async () => {
    const layout = homeLayout(join(user, 'none'));
    const none = new ProtectedFiles({ layout, userHome: undefined, clock: systemClock });
    expect(await none.linked()).toEqual(new Map());
    expect(none.shownIn(user)).toEqual([]);
  });
});
