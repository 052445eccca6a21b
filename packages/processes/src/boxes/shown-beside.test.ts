import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Descriptor } from '@bulkhead/files';
import { homeLayout, type ShownFolder } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { guardedFolders } from './guarded-places.ts';
import { type ProtectedNames, shellBox } from './shell-box.ts';
import { ShownBeside } from './shown-beside.ts';

const FILES = { linked: async () => new Map<string, number>(), shownIn: () => [], mountedIn: () => [] };

let root: string;
let work: string;
let tools: ShownBeside;
const inHome = (path: string) => join(root, 'ada', path);
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-tools-')));
  work = join(root, 'work');
  for (const folder of ['work', 'ada/.cargo/bin', 'ada/.rustup'])
    mkdirSync(join(root, folder), { recursive: true, mode: 0o755 });
  writeFileSync(inHome('.cargo/bin/cargo'), 'ELF', { mode: 0o755 });
  tools = toolsWith(FILES);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const toolsWith = (files: ProtectedNames) =>
  new ShownBeside({
    own: join(root, 'own'),
    environment: { HOME: join(root, 'ada'), PATH: '/usr/bin' },
    files,
    problemOf: async () => undefined,
  });

const CARGO = { programs: ['cargo'], places: [] };
const NO_FOLDERS = { toolchains: [], folders: [] };
const tooled = (toolchains: readonly ShownFolder[]) => ({ ...NO_FOLDERS, toolchains });

/** The folders that a person allows after the question. */
async function allowed() {
  const { needs } = await tools.lookFor(CARGO, work, NO_FOLDERS);
  return needs.map(({ target, identity = '' }) => ({ path: target, identity }));
}

describe('ShownBeside', () => {
  it('shows what was allowed, with the variable of its manager and its programs on PATH', async () => {
    const folders = await allowed();
    expect(folders.map(({ path }) => path).toSorted()).toEqual([inHome('.cargo/bin'), inHome('.rustup')]);
    const { beside, env, remarks } = await tools.open(tooled(folders), work);
    expect(beside.map(({ path }) => path)).toEqual(folders.map(({ path }) => path));
    expect(env).toEqual({ PATH: inHome('.cargo/bin'), RUSTUP_HOME: inHome('.rustup') });
    expect(remarks).toEqual([]);
    expect(
      (await tools.lookFor(CARGO, work, tooled(folders))).needs,
      'what is shown is not asked for',
    ).toEqual([]);
  });

  it('shows nothing that was swapped between the question and the command [A2]', async () => {
    const folders = await allowed();
    mkdirSync(inHome('other/bin'), { recursive: true, mode: 0o755 });
    renameSync(inHome('.cargo/bin'), inHome('.cargo/moved'));
    renameSync(inHome('other/bin'), inHome('.cargo/bin'));
    const replaced = await tools.open(tooled(folders), work);
    expect(replaced.beside.map(({ path }) => path)).toEqual([inHome('.rustup')]);
    expect(replaced.remarks).toEqual([expect.stringContaining('it is another folder than the one')]);
    rmSync(inHome('.cargo/bin'), { recursive: true });
    mkdirSync(inHome('.ssh'));
    symlinkSync(inHome('.ssh'), inHome('.cargo/bin'));
    const linked = await tools.open(tooled(folders), work);
    expect(linked.beside.map(({ path }) => path)).toEqual([inHome('.rustup')]);
    expect(linked.remarks).toEqual([expect.stringContaining('a link in its path')]);
  });

  it('asks again for a folder that was made anew since it was allowed', async () => {
    const folders = await allowed();
    mkdirSync(inHome('.cargo/new'), { mode: 0o755 });
    renameSync(inHome('.cargo/bin'), inHome('.cargo/old'));
    renameSync(inHome('.cargo/new'), inHome('.cargo/bin'));
    writeFileSync(inHome('.cargo/bin/cargo'), 'ELF', { mode: 0o755 });
    const { needs } = await tools.lookFor(CARGO, work, tooled(folders));
    expect(needs.map(({ target }) => target)).toEqual([inHome('.cargo/bin')]);
    expect(folders.map(({ identity }) => identity)).not.toContain(needs[0]?.identity);
  });

  it('shows a folder in one that is no longer shown', async () => {
    const inner = await allowed();
    const { beside } = await tools.open(
      tooled([...inner, { path: inHome('.cargo'), identity: 'gone' }]),
      work,
    );
    expect(beside.map(({ path }) => path).toSorted()).toEqual([inHome('.cargo/bin'), inHome('.rustup')]);
  });

  it('asks for no folder in which not all that may hold credentials can be hidden [A2]', async () => {
    const strange = toolsWith({ ...FILES, mountedIn: () => ['/mounted'] });
    const { needs, refused } = await strange.lookFor(CARGO, work, NO_FOLDERS);
    expect(needs).toEqual([]);
    expect(refused).toContainEqual(expect.stringContaining('a file system is mounted'));
  });

  const identified = (path: string) => {
    mkdirSync(inHome(path), { recursive: true, mode: 0o755 });
    using folder = Descriptor.ofTrustedFolder(inHome(path));
    return { path: inHome(path), identity: folder.lastingId() };
  };
  const numbered = (count: number, name: string) =>
    Array.from({ length: count }, (_, n) => identified(`${name}${String(n).padStart(2, '0')}`));

  it('shows the folders of the work before those of programs, and asks for what it does not show', async () => {
    work = inHome('code/app');
    mkdirSync(work, { recursive: true });
    const toolchains = numbered(13, '.tools/');
    const folder = identified('lib');
    const { beside, remarks } = await tools.open({ toolchains, folders: [folder] }, work);
    expect(beside.map(({ path }) => path)).toEqual(
      [folder, ...toolchains.slice(0, 11)].map(({ path }) => path),
    );
    expect(remarks).toEqual([expect.stringContaining('only 12 allowed folders are shown, without ')]);
    const lookedFor = (folders: readonly ShownFolder[]) =>
      tools.lookFor({ programs: ['cargo'], places: [{ path: inHome('lib'), from: ['.'] }] }, work, {
        toolchains,
        folders,
      });
    const first = await lookedFor([]);
    expect(
      first.needs.map(({ target }) => target),
      'there is room for it',
    ).toEqual([inHome('lib')]);
    expect(first.refused.join(), 'and for no more programs').toContain('.cargo/bin is not shown to commands');
    const full = await lookedFor(numbered(12, 'data/'));
    expect(full.needs).toEqual([]);
    expect(full.refused.join()).toContain(
      'lib is not shown to commands: commands here see 12 allowed folders',
    );
  });

  it('says nothing of a folder that was removed since it was allowed', async () => {
    const folders = await allowed();
    rmSync(inHome('.rustup'), { recursive: true });
    const { beside, remarks } = await tools.open(tooled(folders), work);
    expect(beside.map(({ path }) => path)).toEqual([inHome('.cargo/bin')]);
    expect(remarks).toEqual([]);
  });

  it('shows no folder that the repository around the working folder shows', async () => {
    const folders = await allowed();
    expect((await tools.open(tooled(folders), work, root)).beside).toEqual([]);
  });
});

describe('shellBox with folders of programs', () => {
  it('empties in them the settings in which package managers keep tokens [A2]', async () => {
    const folders = await allowed();
    const settings = ['etc/npmrc', 'versions/3/pip.conf', '.condarc'].map((name) =>
      inHome(`.rustup/${name}`),
    );
    for (const path of settings) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
      writeFileSync(path, '_authToken=x');
    }
    writeFileSync(join(work, 'pip.conf'), '');
    const { beside } = await tools.open(tooled(folders), work);
    for (const files of [FILES, { ...FILES, guarded: guardedFolders() }]) {
      const { box } = await shellBox(work, homeLayout(join(root, 'own')), files, { beside });
      expect(box.hide.toSorted(), 'and none of the working folder').toEqual(settings.toSorted());
      expect(box.deny).toEqual([]);
    }
  });

  it('hides in them what may hold credentials, and leaves out one with too much of it [A2]', async () => {
    const folders = await allowed();
    const packaged = ['lib/python3.9/test/keycert.pem', 'lib/python3.9/site-packages/x/a.key'];
    for (const name of ['.netrc', 'server.key', ...packaged]) {
      mkdirSync(dirname(inHome(`.rustup/${name}`)), { recursive: true, mode: 0o755 });
      writeFileSync(inHome(`.rustup/${name}`), 'x');
    }
    for (let n = 0; n < 151; n += 1) writeFileSync(inHome(`.cargo/bin/${n}.pem`), 'x');
    const { beside } = await tools.open(tooled(folders), work);
    const { box, remarks } = await shellBox(work, homeLayout(join(root, 'own')), FILES, { beside });
    expect(box.neighbours?.map(({ path }) => path)).toEqual([inHome('.rustup')]);
    expect([box.hide, box.deny]).toEqual([[inHome('.rustup/.netrc')], [inHome('.rustup/server.key')]]);
    expect(remarks).toEqual([expect.stringContaining(`${inHome('.cargo/bin')} is not shown`)]);
    expect(await allowed(), 'nor is it asked for').toEqual([]);
  });
});

describe('shellBox with folders of a person', () => {
  const PRIVATE = [
    ...['.mozilla/firefox/p.default/x', '.config/google-chrome/Default/x', '.local/share/TelegramDesktop/x'],
    ...['.bash_history', '.config/Slack/x', 'old/profile/key4.db', 'old/profile/places.sqlite'],
    ...['snap/chromium/common/chromium/Default/Login Data', 'snap/chromium/common/chromium/Default/Cookies'],
  ];
  const ORDINARY = ['Documents/a.md', 'Music/b.js', 'config/secrets.yml', '.config/app.json', 'History'];
  const lookedFor = async (path: string) => {
    const places = [{ path: inHome(path), from: ['.'] }];
    const { needs, refused } = await tools.lookFor({ programs: [], places }, work, NO_FOLDERS);
    const folders = needs.map(({ target, identity = '' }) => ({ path: target, identity }));
    return { folders, refused: refused.join() };
  };
  const put = (path: string) => {
    work = inHome('code/app');
    mkdirSync(work, { recursive: true, mode: 0o755 });
    mkdirSync(dirname(inHome(path)), { recursive: true, mode: 0o755 });
    writeFileSync(inHome(path), 'x');
  };

  it('hides in them the private data of a copied home, and no ordinary file [A2]', async () => {
    for (const name of [...PRIVATE, ...ORDINARY]) put(`Backup/deep/${name}`);
    put('Backup/read.me');
    const { folders } = await lookedFor('Backup/read.me');
    expect(folders.map(({ path }) => path)).toEqual([inHome('Backup')]);
    const { beside } = await tools.open({ ...NO_FOLDERS, folders }, work);
    const guarded = { ...FILES, guarded: guardedFolders() };
    for (const files of [FILES, guarded, guarded]) {
      const { box } = await shellBox(work, homeLayout(join(root, 'own')), files, { beside });
      const closed = [...box.hide, ...(box.deny ?? [])];
      const isClosed = (name: string) =>
        closed.some((path) => `${inHome(`Backup/deep/${name}`)}/`.startsWith(`${path}/`));
      expect(PRIVATE.filter((name) => !isClosed(name))).toEqual([]);
      expect(ORDINARY.filter(isClosed)).toEqual([]);
      expect(closed, 'of a profile all, as one place').toContain(inHome('Backup/deep/old/profile'));
    }
  });

  it('says which folder has too much to hide, and which only together with others', async () => {
    for (let n = 0; n < 151; n += 1) put(`data/${n < 76 ? 'a' : 'b'}/${n}.pem`);
    for (let n = 0; n < 151; n += 1) put(`data/c/${n}.pem`);
    for (const name of ['a', 'b', 'c']) put(`data/${name}/read.me`);
    const found = await Promise.all(['a', 'b'].map((name) => lookedFor(`data/${name}/read.me`)));
    expect(found.map(({ folders }) => folders.length)).toEqual([1, 1]);
    expect((await lookedFor('data/c/read.me')).refused).toContain('data/c is not shown: more than 150');
    const { beside } = await tools.open(
      { ...NO_FOLDERS, folders: found.flatMap(({ folders }) => folders) },
      work,
    );
    const { box, remarks } = await shellBox(work, homeLayout(join(root, 'own')), FILES, { beside });
    expect(box.neighbours?.map(({ path }) => path)).toEqual([inHome('data/a')]);
    expect(remarks).toEqual([
      expect.stringContaining('data/b is not shown: together with the other folders'),
    ]);
  });

  it('shows no folder that is the profile of a browser [A2]', async () => {
    put('saved/key4.db');
    put('saved/read.me');
    const { folders, refused } = await lookedFor('saved/read.me');
    expect(folders).toEqual([]);
    expect(refused).toContain('it is the profile of a browser');
  });
});

describe('ShownBeside.checkWritten', () => {
  const wide = () => {
    using folder = Descriptor.ofTrustedFolder(join(root, 'code'));
    return { path: join(root, 'code'), identity: folder.lastingId(), write: true as const };
  };
  const app = () => join(root, 'code/app');

  it('lets a command change the folder that was allowed, and no other one at its path [A2]', async () => {
    mkdirSync(app(), { recursive: true, mode: 0o755 });
    const allowed = wide();
    await tools.checkWritten(allowed, app());
    renameSync(join(root, 'code'), join(root, 'moved'));
    mkdirSync(app(), { recursive: true, mode: 0o755 });
    await expect(tools.checkWritten(allowed, app())).rejects.toThrow('another folder than the one');
    rmSync(join(root, 'code'), { recursive: true });
    symlinkSync(join(root, 'moved'), join(root, 'code'));
    await expect(tools.checkWritten(allowed, app())).rejects.toThrow('has a link in its path');
  });

  it('refuses one that became a home, and one whose changes can not be held back [A2]', async () => {
    mkdirSync(app(), { recursive: true, mode: 0o755 });
    const live = new ShownBeside({
      own: join(root, 'own'),
      environment: { HOME: join(root, 'ada') },
      files: FILES,
      problemOf: async () => 'changes there can not be held back',
    });
    await expect(live.checkWritten(wide(), app())).rejects.toThrow('can not be held back');
    mkdirSync(join(root, 'code/.ssh'));
    await expect(tools.checkWritten(wide(), app())).rejects.toThrow('is a home folder');
  });
});
