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

describe('shellBox', () => {
  it('hides credentials and our own home; a live command can’t write what git obeys [A2]', () => {
    for (const name of ['.git/hooks', '.ssh', 'home', 'src', '.bulkhead-scratch'])
      mkdirSync(join(folder, name), { recursive: true });
    for (const name of ['.git/config', '.env', 'a.txt']) writeFileSync(join(folder, name), '');
    const box = shellBox(folder, homeLayout(join(folder, 'home')));
    expect(box.protect).toEqual([]);
    expect(liveShellBox(folder, homeLayout(join(folder, 'home')))).toEqual({
      ...box,
      protect: [join(folder, '.git')],
    });
    expect(box.hide.toSorted()).toEqual([
      join(folder, '.bulkhead-scratch'),
      join(folder, '.env'),
      join(folder, '.ssh'),
      join(folder, 'home'),
    ]);
  });

  it.each(['cl\xe9.pem', '.env.\xff', '.ssh\xff', '.g\xffit'])(
    'refuses to run beside what it can’t hide: %j [A2] [A4]',
    (name) => {
      const path = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]);
      writeFileSync(path, '');
      expect(() => shellBox(folder, elsewhere)).toThrow('no UTF-8');
      expect(() => liveShellBox(folder, elsewhere)).toThrow('no UTF-8');
    },
  );

  it('leaves other names that are no text alone', () => {
    writeFileSync(Buffer.from(`${folder}/\xe9.txt`, 'latin1'), '');
    writeFileSync(join(folder, 'é.pem'), '');
    expect(shellBox(folder, elsewhere).hide).toEqual([join(folder, 'é.pem')]);
  });

  it('keeps a worktree’s .git file from being rewritten [A2]', () => {
    writeFileSync(join(folder, '.git'), 'gitdir: /elsewhere');
    expect(liveShellBox(folder, elsewhere).protect).toEqual([join(folder, '.git')]);
  });

  it.each(['.git', '.bulkhead'])('refuses to run beside a protected link: %s [A4]', (name) => {
    mkdirSync(join(folder, 'real'));
    symlinkSync(join(folder, 'real'), join(folder, name));
    expect(() => shellBox(folder, elsewhere)).toThrow('symbolic link');
  });
});
