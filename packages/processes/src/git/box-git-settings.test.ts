import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { boxGitSettings } from './box-git-settings.ts';
import { readGitConfig } from './read-git-config.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bulkhead-git-settings-'));
  mkdirSync(join(root, 'projects'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** The settings that a box of a folder receives, but for those of this machine's own git. */
async function settings(folder = 'projects', environment: Readonly<Record<string, string>> = {}) {
  const made = await boxGitSettings({ HOME: root, ...environment }, join(root, 'store'), join(root, folder));
  if (made === undefined) return [];
  const { settings: read, isPlain } = readGitConfig(readFileSync(join(made, 'config'), 'utf8'));
  expect(isPlain).toBe(true);
  return read.map(({ section, subsection, name, value }) => {
    const key = [section, ...(subsection === undefined ? [] : [subsection]), name].join('.');
    return `${key}=${value?.replace(root, '~')}`;
  });
}

describe('git settings of the person in a box', () => {
  it('are name, address, behaviour and aliases without programs', async () => {
    write(
      '.gitconfig',
      '[user]\n\tname = Ada "E."\n\temail = ada@example.org\n[Alias]\n\tst = status -s\n[init]\n\tdefaultBranch = main\n' +
        '[color "diff"]\n\told = red\n[pull]\n\trebase\n',
    );
    expect(await settings()).toEqual([
      'user.name=Ada E.',
      'user.email=ada@example.org',
      'alias.st=status -s',
      'init.defaultbranch=main',
      'color.diff.old=red',
      'pull.rebase=undefined',
    ]);
  });

  it('hold no credential and nothing that runs a program or leads to more settings [A2]', async () => {
    write(
      '.gitconfig',
      '[credential]\n\thelper = store\n\tusername = ada\n[alias]\n\tx = !evil\n\ty = "!evil"\n\tz\n' +
        '[core]\n\teditor = vi\n\tpager = less\n\thooksPath = h\n\tfsmonitor = x\n\tsshCommand = x\n\taskPass = x\n\tattributesFile = a\n' +
        '[url "https://token@example.org/"]\n\tinsteadOf = x:\n[http]\n\textraHeader = Authorization: x\n\tproxy = x\n' +
        '[filter "lfs"]\n\tclean = git-lfs\n[diff]\n\texternal = x\n[diff "a"]\n\ttextconv = x\n[merge "b"]\n\tdriver = x\n' +
        '[init]\n\ttemplateDir = t\n[user]\n\tsigningKey = k\n[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = x\n' +
        '[github]\n\tuser = a\n\ttoken = b\n[sendemail]\n\tsmtpPass = x\n[remote "o"]\n\turl = https://a:b@example.org\n' +
        '[sequence]\n\teditor = x\n[interactive]\n\tdiffFilter = x\n[protocol "ext"]\n\tallow = always\n[safe]\n\tdirectory = *\n',
    );
    expect(await settings()).toEqual([]);
  });

  it('come from all of its files, in the order of git, through links and plain includes', async () => {
    write('.config/git/config', '[user]\n\tname = A\n');
    write('other/git/config', '[user]\n\tname = B\n');
    write(
      'dotfiles/config',
      '[include]\n\tpath = more\n[includeIf "gitdir:~/projects/"]\n\tpath = ~/dotfiles/projects\n[user]\n\tname = C\n',
    );
    symlinkSync('dotfiles/config', join(root, '.gitconfig'));
    write('dotfiles/projects', '[user]\n\temail = work@example.org\n');
    write('more', '[user]\n\temail = me@example.org\n[include]\n\tpath = more\n');
    const all = await settings();
    expect(all[0]).toBe('user.name=A');
    expect(all.filter((text) => text.startsWith('user.email')).at(-1)).toBe('user.email=work@example.org');
    expect(all.at(-1)).toBe('user.name=C');
    mkdirSync(join(root, 'elsewhere'));
    expect((await settings('elsewhere')).filter((text) => text.includes('work@'))).toEqual([]);
    expect((await settings('projects', { XDG_CONFIG_HOME: join(root, 'other') }))[0]).toBe('user.name=B');
  });

  it('bring the names that git ignores along', async () => {
    write('.config/git/ignore', '*.swp\n');
    const [ignored, ...none] = await settings();
    expect(none).toEqual([]);
    const path = (ignored ?? '').replace('core.excludesfile=~', root);
    expect(readFileSync(path, 'utf8')).toBe('*.swp\n');
  });

  it('are written once for each content, and not at all where a box could not show them', async () => {
    write('.gitconfig', '[user]\n\tname = A\n');
    await settings();
    await settings();
    expect(readdirSync(join(root, 'store'))).toHaveLength(1);
    write('.gitconfig', '[user]\n\tname = B\n');
    await settings();
    expect(readdirSync(join(root, 'store'))).toHaveLength(2);
    const inside = await boxGitSettings({ HOME: root }, join(root, 'projects/store'), join(root, 'projects'));
    expect(inside).toBeUndefined();
    expect(await boxGitSettings({}, join(root, 'store'), join(root, 'projects'))).toBeUndefined();
  });
});
