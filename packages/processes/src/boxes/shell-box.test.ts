import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeLayout } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { liveShellBox, shellBox } from './shell-box.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-shell-box-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const elsewhere = homeLayout('/nowhere/.bulkhead');

const NO_LINKS = { linked: async () => new Map<string, number>(), shownIn: () => [] };

describe('shellBox', () => {
  it('hides credentials and our own home, at any depth; a live command can’t write what is obeyed [A2]', async () => {
    for (const name of [
      '.git/hooks',
      '.ssh',
      'home',
      'src/deep/.aws',
      'lib/.git',
      '.bulkhead-scratch',
      '.vscode',
    ])
      mkdirSync(join(folder, name), { recursive: true });
    for (const name of ['.git/config', '.env', 'a.txt', 'src/.env.local', 'src/deep/.envrc', 'src/x.key'])
      writeFileSync(join(folder, name), '');
    const layout = homeLayout(join(folder, 'home'));
    const { box, remarks } = await shellBox(folder, layout, NO_LINKS);
    const live = await liveShellBox(folder, layout, NO_LINKS);
    expect(box.protect).toEqual([]);
    const told = [/^\.env, src\/\.env\.local: may hold credentials/, /^\.ssh, .*: may hold credentials/].map(
      (text) => expect.stringMatching(text),
    );
    expect([remarks, live.remarks]).toEqual([told, told]);
    expect(live.box).toEqual({ ...box, protect: live.box.protect });
    expect(live.box.protect.toSorted()).toEqual(
      ['.git', '.vscode', 'home', 'lib/.git', 'src/deep/.envrc'].map((name) => join(folder, name)),
    );
    expect(box.deny).toEqual([join(folder, 'src/x.key')]);
    expect(box.hide.toSorted()).toEqual(
      ['.bulkhead-scratch', '.env', '.ssh', 'home', 'src/.env.local', 'src/deep/.aws'].map((name) =>
        join(folder, name),
      ),
    );
  });

  it.each(['cl\xe9.pem', '.env.\xff', '.ssh\xff', '.g\xffit'])(
    'refuses to run beside what it can’t hide: %j [A2] [A4]',
    async (name) => {
      const path = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]);
      writeFileSync(path, '');
      await expect(shellBox(folder, elsewhere, NO_LINKS)).rejects.toThrow('no UTF-8');
      await expect(liveShellBox(folder, elsewhere, NO_LINKS)).rejects.toThrow('no UTF-8');
    },
  );

  it('leaves other names that are no text alone', async () => {
    writeFileSync(Buffer.from(`${folder}/\xe9.txt`, 'latin1'), '');
    writeFileSync(join(folder, 'é.pem'), '');
    expect((await shellBox(folder, elsewhere, NO_LINKS)).box.deny).toEqual([join(folder, 'é.pem')]);
  });

  it('keeps a worktree’s .git file from being rewritten [A2]', async () => {
    writeFileSync(join(folder, '.git'), 'gitdir: /elsewhere');
    expect((await liveShellBox(folder, elsewhere, NO_LINKS)).box.protect).toEqual([join(folder, '.git')]);
  });

  it.each(['.git', '.bulkhead'])('refuses to run beside a protected link: %s [A4]', async (name) => {
    mkdirSync(join(folder, 'real'));
    symlinkSync(join(folder, 'real'), join(folder, name));
    await expect(shellBox(folder, elsewhere, NO_LINKS)).rejects.toThrow('symbolic link');
  });
});
