import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemorySessionStore } from '@bulkhead/sessions';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WorkingFolders } from './working-folders.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-folders-')));
  mkdirSync(join(base, 'sub/project'), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function session(folder: string) {
  const store = createMemorySessionStore();
  const folders = new WorkingFolders(store);
  store.createSession({ id: 's', workingFolder: folder, time: 1 });
  store.append('s', [folders.note(folder, 1)]);
  return () => folders.check('s', folder);
}

describe('WorkingFolders', () => {
  it('knows the folder again, also after what is in it has changed', () => {
    const check = session(join(base, 'sub/project'));
    mkdirSync(join(base, 'sub/project/new'));
    expect(check).not.toThrow();
  });

  it.each([
    ['a link', () => symlinkSync('/', join(base, 'sub/project'))],
    ['another folder', () => mkdirSync(join(base, 'sub/project'))],
    ['nothing', () => {}],
    ['a link to itself moved away', () => symlinkSync(join(base, 'sub/moved'), join(base, 'sub/project'))],
  ])('refuses %s in its place [A2]', (_what, replace) => {
    const check = session(join(base, 'sub/project'));
    renameSync(join(base, 'sub/project'), join(base, 'sub/moved'));
    replace();
    expect(check).toThrow('not the folder this session was started in');
  });

  it('refuses a link on the way to it [A2]', () => {
    const check = session(join(base, 'sub/project'));
    renameSync(join(base, 'sub'), join(base, 'other'));
    symlinkSync('other', join(base, 'sub'));
    expect(check).toThrow('any more');
  });

  it('refuses a session whose folder was never noted', () => {
    const store = createMemorySessionStore();
    store.createSession({ id: 's', workingFolder: base, time: 1 });
    expect(() => new WorkingFolders(store).check('s', base)).toThrow('any more');
  });
});
