import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ClosedPlaces, isClosedPlace } from '../paths/closed-places.ts';
import { findRepositoryRoot } from './repository-root.ts';

let top: string;
let root: string;
let app: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-root-')));
  root = join(top, 'code', 'repo');
  app = join(root, 'packages', 'app');
  mkdirSync(app, { recursive: true });
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const closed = (): ClosedPlaces => ({ userHomes: [top], own: join(top, '.bulkhead') });
const found = (folder = app) => findRepositoryRoot(folder, closed());
function makeGit(folder: string): void {
  mkdirSync(join(folder, '.git'), { recursive: true });
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
}

describe('findRepositoryRoot', () => {
  it('finds the repository around a folder', () => {
    expect(found(), 'control').toBeUndefined();
    makeGit(root);
    const { ino: inode } = statSync(root, { bigint: true });
    expect(found()).toEqual({ path: root, inode, kind: 'repository' });
  });

  it.each([
    ['package.json', '{"private": true, "workspaces": ["packages/*"]}'],
    ['pnpm-workspace.yaml', 'packages: ["packages/*"]'],
    ['Cargo.toml', '# all\n[workspace]\nmembers = ["packages/*"]\n'],
    ['go.work', 'go 1.24\nuse ./packages/app\n'],
  ])('finds the root of a workspace by its %s', (name, text) => {
    writeFileSync(join(root, name), text);
    expect(found()).toMatchObject({ path: root, kind: 'workspace' });
  });

  it.each([
    ['package.json', '{"name": "repo"}'],
    ['package.json', '"workspaces"'],
    ['Cargo.toml', '[package]\nname = "workspace"\n'],
  ])('takes no other manifest for one: %s %s', (name, text) => {
    writeFileSync(join(root, name), text);
    expect(found()).toBeUndefined();
  });

  it('prefers the repository to a workspace in it', () => {
    makeGit(root);
    writeFileSync(join(root, 'packages', 'go.work'), '');
    expect(found()).toMatchObject({ path: root, kind: 'repository' });
  });

  it('finds none where the folder has a repository of its own, or is the root', () => {
    makeGit(root);
    expect(found(root)).toBeUndefined();
    writeFileSync(join(app, '.git'), 'gitdir: ../../.git/modules/app');
    expect(found()).toBeUndefined();
  });

  it('takes no empty `.git` for a repository', () => {
    mkdirSync(join(root, '.git'));
    expect(found()).toBeUndefined();
  });

  it('never widens beyond what may be shown: a home, what is above it, a hidden or personal folder [A2]', () => {
    makeGit(top);
    expect(found(), 'the home').toBeUndefined();
    const outside = { userHomes: [join(root, 'home')], own: '/nowhere' };
    makeGit(root);
    expect(findRepositoryRoot(app, outside), 'above the home').toBeUndefined();
    const inside = { userHomes: [top], own: join(root, 'state') };
    expect(findRepositoryRoot(app, inside), 'around our own home').toBeUndefined();
    for (const name of ['.config', 'Documents', 'downloads', '.ssh', 'code/.aws']) {
      const part = join(top, name, 'part');
      makeGit(join(top, name));
      mkdirSync(part);
      expect(found(part), name).toBeUndefined();
    }
    expect(found(), 'control').toMatchObject({ path: root });
  });

  it('shows no home of another person: one is known by what lies in it [A2]', () => {
    const others = { userHomes: ['/root'], own: '/root/.bulkhead' };
    makeGit(top);
    expect(findRepositoryRoot(app, others), 'control').toMatchObject({ path: top });
    for (const name of ['.ssh', '.gnupg', '.bash_history', '.zsh_history']) {
      writeFileSync(join(top, name), '');
      expect(findRepositoryRoot(app, others), name).toBeUndefined();
      rmSync(join(top, name));
    }
  });

  it('shows no workspace that the folder is no part of [A2]', () => {
    const other = join(root, 'private');
    mkdirSync(other);
    for (const [name, text] of [
      ['package.json', '{"workspaces": ["packages/*"]}'],
      ['pnpm-workspace.yaml', "packages:\n  - 'packages/**'\n"],
      ['Cargo.toml', '[workspace]\nmembers = ["packages/*"]\n'],
      ['go.work', 'use (\n\t./packages/app\n)\n'],
    ] as const) {
      writeFileSync(join(root, name), text);
      expect(found(other), name).toBeUndefined();
      expect(found(), `${name}, control`).toMatchObject({ path: root });
      rmSync(join(root, name));
    }
    writeFileSync(join(root, 'pnpm-workspace.yaml'), 'packages:\n  - "*"\n');
    expect(found(other), 'all folders').toMatchObject({ path: root });
  });

  it('ends at a folder of another user, or one that everybody may write [A2]', () => {
    makeGit(root);
    chmodSync(join(root, 'packages'), 0o777);
    expect(found()).toBeUndefined();
    chmodSync(join(root, 'packages'), 0o755);
    expect(found(), 'control').toMatchObject({ path: root });
    chmodSync(root, 0o777);
    expect(found()).toBeUndefined();
  });

  it('follows no link, neither on the way nor as a mark [A2]', () => {
    const elsewhere = join(top, 'elsewhere');
    makeGit(elsewhere);
    symlinkSync(join(elsewhere, '.git'), join(root, '.git'));
    expect(found()).toBeUndefined();
    rmSync(join(root, '.git'));
    makeGit(root);
    renameSync(join(root, 'packages'), join(root, 'moved'));
    symlinkSync('moved', join(root, 'packages'));
    expect(found()).toBeUndefined();
    expect(found(join(root, 'moved', 'app')), 'control').toMatchObject({ path: root });
  });
});

describe('isClosedPlace', () => {
  it.each([
    '/',
    '/etc',
    '/etc/nginx',
    '/home',
    '/tmp',
    '/var/tmp',
    '/usr',
    '/opt',
    '/root',
    '/proc/1',
    '/srv',
  ])('closes %s', (path) => expect(isClosedPlace(path, { userHomes: [], own: '/nowhere' })).toBe(true));

  it.each(['/home/other', '/home/other/.config/x', '/home/other/Documents'])(
    'closes %s, of another person',
    (path) => expect(isClosedPlace(path, { userHomes: ['/root'], own: '/root/.bulkhead' })).toBe(true),
  );

  it.each([
    '/workspace',
    '/srv/site',
    '/opt/site',
    '/tmp/repo',
    '/home/someone/code/repo',
    '/home/other/code',
  ])('opens %s', (path) =>
    expect(isClosedPlace(path, { userHomes: ['/home/someone'], own: '/home/someone/.bulkhead' })).toBe(false),
  );
});
