import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { objectId } from '@bulkhead/files';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TemporaryFolder } from '../testing/temporary-folder.ts';
import { ToolBench } from '../testing/tool-bench.ts';
import { GrantedFiles } from './granted-files.ts';

let bench: ToolBench;

beforeEach(() => {
  bench = new ToolBench();
  mkdirSync(bench.at('app/.aws'), { recursive: true });
  writeFileSync(bench.at('app/.env'), 'TOKEN=canary\n');
  writeFileSync(bench.at('app/.aws/credentials'), 'canary\n');
  writeFileSync(bench.at('plain.txt'), 'ordinary\n');
});

afterEach(() => bench[Symbol.dispose]());

describe('a hard link', () => {
  it.each(['app/.env', 'app/.aws/credentials'])(
    'to %s is neither read, searched, edited nor replaced [A2] [FT13]',
    async (secret) => {
      mkdirSync(bench.at('docs'));
      linkSync(bench.at(secret), bench.at('docs/notes.txt'));
      expect(statSync(bench.at('docs/notes.txt')).nlink).toBe(2);
      const path = 'docs/notes.txt';
      expect(await bench.text('read', { path })).toBe(
        `blocked: ${path}: is a hard link to a file that may hold credentials: it is neither read nor written`,
      );
      expect(await bench.text('grep', { path, pattern: 'canary' })).toContain('blocked');
      expect(await bench.text('grep', { pattern: 'canary' })).not.toContain('canary\n');
      expect(await bench.text('grep', { pattern: 'canary' })).toContain('no matches');
      expect(await bench.text('edit', { path, old_text: 'canary', new_text: 'x' })).toContain('2 hard links');
      expect(await bench.text('write', { path, content: 'x' })).toContain('2 hard links');
      expect(await bench.inspect(path)).toBeUndefined();
      expect((await bench.plan('read', { path })).isError).toBe(true);
    },
  );

  it('to an ordinary file is read, as package stores have thousands, and not changed [FT13]', async () => {
    linkSync(bench.at('plain.txt'), bench.at('second.txt'));
    expect(await bench.text('read', { path: 'second.txt' })).toBe('ordinary');
    expect(await bench.text('grep', { pattern: 'ordinary' })).toContain('second.txt:1');
    expect(await bench.text('write', { path: 'second.txt', content: 'x' })).toContain('Copy it first');
  });
});

describe('objects that a grant closes', () => {
  it('are opened under no name: hard link, symbolic link, folder or file [FT13]', () => {
    using outside = new TemporaryFolder();
    using inside = new TemporaryFolder();
    const closed = ['own.db', 'folder'].map((name) => join(outside.path, name));
    writeFileSync(closed[0] ?? '', 'canary');
    mkdirSync(closed[1] ?? '');
    const granted = (ids: readonly string[]) =>
      GrantedFiles.open({ roots: [{ path: inside.path, access: 'rw' }], closed: ids });
    linkSync(closed[0] ?? '', join(inside.path, 'innocent'));
    symlinkSync('innocent', join(inside.path, 'link'));
    using without = granted([]);
    using control = without.locate('link', 'read');
    expect(control.stat?.isFile()).toBe(true);
    using files = granted(closed.map((path) => objectId(statSync(path, { bigint: true }))));
    for (const path of ['innocent', 'link'])
      for (const use of ['read', 'write', 'list'] as const)
        expect(() => files.locate(path, use), `${use} ${path}`).toThrow('is protected under another name');
  });
});

/** Mounts need a name space of one's own, which some machines forbid. */
const canMount = (() => {
  try {
    execFileSync('unshare', ['-Urm', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.runIf(canMount)('a bind mount', () => {
  it('of something closed, a folder, one inside it or a file, is opened under no name [FT13]', () => {
    using place = new TemporaryFolder();
    const at = (...names: string[]) => join(place.path, ...names);
    for (const folder of ['own/state', 'work/whole', 'work/part', 'work/other', 'other'])
      mkdirSync(at(folder), { recursive: true });
    for (const file of ['own/state/db', 'work/file', 'other/a']) writeFileSync(at(file), 'canary');
    const closed = ['own', 'own/state', 'own/state/db'].map((name) =>
      objectId(statSync(at(name), { bigint: true })),
    );
    const child = join(import.meta.dirname, '../testing/look-through-mounts.child.ts');
    const script = [
      `mount --bind '${at('own')}' '${at('work/whole')}'`,
      `mount --bind '${at('own/state')}' '${at('work/part')}'`,
      `mount --bind '${at('own/state/db')}' '${at('work/file')}'`,
      `mount --bind '${at('other')}' '${at('work/other')}'`,
      `exec '${process.execPath}' --disable-warning=ExperimentalWarning '${child}' '${at('work')}' '${closed.join(',')}'`,
    ].join(' && ');
    const run = (ids: string) =>
      JSON.parse(
        execFileSync(
          'unshare',
          ['-Urm', 'sh', '-c', ids === '' ? script.replace(closed.join(','), '') : script],
          {
            encoding: 'utf8',
          },
        ),
      );
    expect(run('')).toEqual({
      'whole/state/db': 'canary',
      'part/db': 'canary',
      file: 'canary',
      'other/a': 'canary',
    });
    expect(run('closed')).toEqual({
      'whole/state/db': 'blocked',
      'part/db': 'blocked',
      file: 'blocked',
      'other/a': 'canary',
    });
  });
});
