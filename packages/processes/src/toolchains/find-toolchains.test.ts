import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as meanings from '@bulkhead/shield/analysis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findToolchains, needsOf } from './find-toolchains.ts';

let root: string;
let home: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-toolchains-')));
  home = join(root, 'ada');
  for (const folder of ['ada', 'work', 'own']) mkdirSync(join(root, folder), { mode: 0o755 });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text = '#!/bin/sh\n', mode = 0o755): string {
  const whole = join(home, path);
  mkdirSync(dirname(whole), { recursive: true, mode: 0o755 });
  writeFileSync(whole, text);
  chmodSync(whole, mode);
  return whole;
}

function link(path: string, target: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true, mode: 0o755 });
  symlinkSync(target, join(home, path));
}

function find(program: string, path: readonly string[] = [], workingFolder = join(root, 'work')) {
  const ground = { home, own: join(root, 'own'), workingFolder, path: path.join(':') };
  const { folders, refused } = findToolchains([program], ground, meanings);
  return { shown: folders.map((folder) => folder.path.slice(home.length + 1)), folders, refused };
}

const shown = (...args: Parameters<typeof find>) => find(...args).shown;

describe('findToolchains', () => {
  it('shows only the folder of a program that needs no more', () => {
    put('.local/bin/tool');
    put('.deno/bin/deno', 'ELF');
    expect([shown('tool'), shown('deno'), shown('other')]).toEqual([['.local/bin'], ['.deno/bin'], []]);
  });

  it('shows a whole installation: a version of node, the shims of pyenv, the toolchains of rustup', () => {
    put('.nvm/versions/node/v9.1.0/bin/old');
    put('.nvm/versions/node/v22.1.0/bin/node', 'ELF');
    put('.nvm/versions/node/v22.1.0/lib/node_modules/npm/bin/npm-cli.js', '#!/usr/bin/env node\n');
    link('.nvm/versions/node/v22.1.0/bin/npm', '../lib/node_modules/npm/bin/npm-cli.js');
    put('.pyenv/shims/python9');
    put('.cargo/bin/cargo', 'ELF');
    put('.cargo/registry/x');
    put('.rustup/settings.toml', '', 0o644);
    expect(shown('npm')).toEqual(['.nvm/versions/node/v22.1.0']);
    expect(shown('old'), 'the newest version counts').toEqual([]);
    expect(shown('old', [`${home}/.nvm/versions/node/v9.1.0/bin`]), 'or that of PATH').toEqual([
      '.nvm/versions/node/v9.1.0/bin',
    ]);
    expect(shown('python9')).toEqual(['.pyenv']);
    expect(shown('cargo').toSorted()).toEqual(['.cargo/bin', '.rustup']);
  });

  it('follows links and interpreters: a tool of uv, and one of pipx', () => {
    const python = put('.local/share/uv/python/cpython-9.9/bin/python9.9', 'ELF');
    put('.local/share/uv/python/cpython-9.9/lib/x');
    link('.local/share/uv/tools/ruff/bin/python', python);
    put('.local/share/uv/tools/ruff/pyvenv.cfg');
    const ruff = put(
      '.local/share/uv/tools/ruff/bin/ruff',
      `#!${home}/.local/share/uv/tools/ruff/bin/python\n`,
    );
    link('.local/bin/ruff', ruff);
    expect(shown('ruff').toSorted()).toEqual([
      '.local/bin',
      '.local/share/uv/python/cpython-9.9',
      '.local/share/uv/tools/ruff',
    ]);
  });

  it('shows the folder that a linked entry of PATH leads to, under its own name', () => {
    put('.sdkman/candidates/java/21/bin/java', 'ELF');
    put('.sdkman/candidates/java/21/lib/x');
    link('.sdkman/candidates/java/current', '21');
    expect(shown('java')).toEqual(['.sdkman/candidates/java/21']);
  });

  it('shows a program that the person may run and not read', () => {
    put('.local/bin/sealed', 'ELF', 0o111);
    expect(find('sealed')).toMatchObject({ shown: ['.local/bin'], refused: [] });
  });

  it('names the folder that it looked at, so that another one at its path is not meant', () => {
    put('.local/bin/tool');
    const { folders } = find('tool');
    const [need] = needsOf(folders);
    rmSync(join(home, '.local/bin'), { recursive: true });
    put('.local/bin/tool');
    const [other] = needsOf(find('tool').folders);
    expect(need).toMatchObject({ kind: 'toolchain', target: join(home, '.local/bin') });
    expect(other?.target).toBe(need?.target);
    expect(other?.identity).not.toBe(need?.identity);
  });
});

describe('findToolchains never shows [A2]', () => {
  it.each([
    ['a folder of work', 'Projects', 'private/contract.txt'],
    ['data', '.linuxbrew', 'var/postgres/data'],
    ['what a link could lead to', '.linuxbrew', 'tmp'],
  ])('%s that lies beside the folders of an installation', (_what, whole, other) => {
    put(`${whole}/bin/tool`);
    put(`${whole}/lib/x`);
    const path = [`${home}/${whole}/bin`];
    expect(find('tool', path).shown).toEqual([whole]);
    if (other === 'tmp') link(`${whole}/tmp`, '/tmp');
    else put(`${whole}/${other}`, '', 0o644);
    expect(find('tool', path).shown).toEqual([`${whole}/bin`]);
  });

  it('settings beside the programs of an application', () => {
    put('.config/app/bin/tool');
    put('.config/app/lib/x');
    expect(find('tool', [`${home}/.config/app/bin`]).shown).toEqual(['.config/app/bin']);
  });

  it('the work that a link to a script leads into', () => {
    const script = put('dev/acme/deploy');
    put('dev/acme/.git/config', '', 0o644);
    link('.local/bin/deploy', script);
    const found = find('deploy');
    expect(found.shown).toEqual([]);
    expect(found.refused.join()).toContain('dev/acme, which is no folder of programs');
    // PATH says that it is one.
    expect(find('deploy', [`${home}/dev/acme`]).shown).toEqual(['dev/acme']);
  });

  const refused = (...args: Parameters<typeof find>) => {
    const found = find(...args);
    expect(found.shown).toEqual([]);
    return found.refused.join('\n');
  };

  it.each([
    ['keys', '.ssh', 'may hold credentials'],
    ['a browser profile', '.mozilla/firefox/x', 'may hold credentials'],
    ['a cloud login', '.config/gcloud', 'may hold credentials'],
    ['private documents', 'Documents/tools', 'may hold credentials or private files'],
    ['all settings', '.config', 'holds more than programs'],
    ['the whole home', '', 'holds more than programs'],
  ])('a folder of %s, named by PATH, by a link to it or by a link to a file in it', (_what, folder, why) => {
    put(join(folder, 'tool'));
    expect(refused('tool', [join(home, folder)])).toContain(why);
    link('apps', join(home, folder));
    expect(refused('tool', [join(home, 'apps')])).toContain(why);
    link('.local/bin/shim', join(home, folder, 'tool'));
    expect(refused('shim')).toContain(why);
    put('.local/bin/script', `#!${join(home, folder, 'tool')}\n`);
    expect(refused('script')).toContain(why);
  });

  it('an installation that holds credentials', () => {
    put('.cargo/lib/x');
    put('.cargo/bin/tool');
    expect(shown('tool'), 'control').toEqual(['.cargo']);
    put('.cargo/credentials.toml', 'token', 0o600);
    expect(refused('tool')).toContain(`holds ${home}/.cargo/credentials.toml`);
  });

  it('a folder that a first line names for a file which is no program', () => {
    put('clients/acme/contract.txt', 'secret', 0o644);
    put('.local/bin/tool', `#!${home}/clients/acme/contract.txt\n`);
    expect(refused('tool')).toContain(`${home}/clients/acme/contract.txt leads to no program`);
    chmodSync(join(home, 'clients/acme/contract.txt'), 0o755);
    expect(refused('tool'), 'control').toContain('clients/acme, which is no folder of programs');
  });

  it("a folder of the workspace, one around it, and Bulkhead's own", () => {
    const work = join(home, 'project');
    put('project/node_modules/.bin/tool');
    put('bin/other');
    expect(refused('tool', [join(work, 'node_modules/.bin')], work)).toContain('in the working folder');
    expect(refused('other', [join(home, 'bin')], join(home, 'bin/x'))).toContain(
      'in the working folder or around',
    );
    link('.local/bin/inside', join(work, 'node_modules/.bin/tool'));
    expect(refused('inside', [], work)).toContain('in the working folder');
    rmSync(join(root, 'own'), { recursive: true });
    mkdirSync(join(home, '.own'));
    put('.own/tool');
    const ground = { home, own: join(home, '.own'), workingFolder: work, path: join(home, '.own') };
    expect(findToolchains(['tool'], ground, meanings)).toMatchObject({
      folders: [],
      refused: [expect.stringContaining('belongs to Bulkhead')],
    });
  });

  it('a program that other users can change, or in a folder that they can', () => {
    const tool = put('.local/bin/tool');
    chmodSync(tool, 0o777);
    expect(refused('tool')).toContain(`${tool} can be changed by other users`);
    chmodSync(tool, 0o755);
    for (const folder of ['.local/bin', '.local']) {
      chmodSync(join(home, folder), 0o777);
      expect(refused('tool')).toContain(`can be changed by other users, in ${join(home, folder)}`);
      chmodSync(join(home, folder), 0o755);
    }
    expect(shown('tool'), 'control').toEqual(['.local/bin']);
  });

  it('a program outside the home, or one whose name leads there', () => {
    const outside = join(root, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'tool'), '#!/bin/sh\n', { mode: 0o755 });
    expect(shown('tool', [outside])).toEqual([]);
    link('.local/bin/tool', join(outside, 'tool'));
    expect(refused('tool')).toContain('points outside the home folder');
    put('.ssh/id_tool');
    expect(shown('../../.ssh/id_tool')).toEqual([]);
    put('.local/bin/loop', `#!${join(home, '.local/bin/loop')}\n`);
    expect(refused('loop')).toContain('too many other programs');
  });
});
