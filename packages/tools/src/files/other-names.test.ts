import { execFileSync, spawn } from 'node:child_process';
import { linkSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TemporaryFolder } from '../testing/temporary-folder.ts';
import { ToolBench } from '../testing/tool-bench.ts';
import { GrantedFiles } from './granted-files.ts';
import { openFileForReading } from './open-file.ts';

let bench: ToolBench;

beforeEach(() => {
  bench = new ToolBench();
  mkdirSync(bench.at('app/.aws'), { recursive: true });
  writeFileSync(bench.at('app/.env'), 'TOKEN=canary\n');
  writeFileSync(bench.at('app/.aws/credentials'), 'canary\n');
  writeFileSync(bench.at('plain.txt'), 'ordinary\n');
});

afterEach(() => bench[Symbol.dispose]());

/** Duration of the race. */
const RACE_MS = 1_500;
/** Links one name to a protected file and to an ordinary one in turn. */
const LINKS = `const fs = require('fs'); const [a, b, name] = process.argv.slice(1);
for (;;) for (const file of [a, b]) { fs.linkSync(file, name); fs.unlinkSync(name); }`;

function linkRacer(...args: readonly string[]): Disposable {
  const racer = spawn(process.execPath, ['-e', LINKS, ...args], { stdio: 'ignore' });
  return { [Symbol.dispose]: () => racer.kill('SIGKILL') };
}

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

describe('a hard link to a protected file outside the folder', () => {
  it('is neither read, searched nor looked at, whenever it was made, by a link or after a move [FT13] [A2]', async () => {
    writeFileSync(join(bench.outside, 'own.db'), 'canary\n');
    writeFileSync(bench.at('innocent'), 'innocent\n');
    linkSync(bench.at('plain.txt'), bench.at('second.txt'));
    // Earlier answers about other files say nothing about a new link.
    expect(await bench.text('read', { path: 'second.txt' })).toBe('ordinary');
    linkSync(join(bench.outside, 'own.db'), bench.at('link'));
    renameSync(bench.at('link'), bench.at('innocent'));
    symlinkSync('innocent', bench.at('soft'));
    for (const path of ['innocent', 'soft']) {
      expect(await bench.text('read', { path })).toContain('is protected under another name');
      expect(await bench.inspect(path)).toBeUndefined();
    }
    expect(await bench.text('grep', { pattern: 'canary' })).toContain('no matches');
    const edit = { path: 'innocent', old_text: 'canary', new_text: 'x' };
    expect(await bench.text('edit', edit)).toContain('hard links');
    rmSync(bench.at('innocent'));
    expect(await bench.text('read', { path: 'second.txt' })).toBe('ordinary');
  });

  it('is not read by winning a race against the look at its links [FT13]', async () => {
    const secret = join(bench.outside, 'own.db');
    writeFileSync(secret, 'canary\n');
    using _racer = linkRacer(secret, bench.at('plain.txt'), bench.at('swapped'));
    const seen = new Set<string>();
    for (const end = performance.now() + RACE_MS; performance.now() < end || seen.size < 2; ) {
      const text = await bench.text('read', { path: 'swapped' });
      expect(text).not.toContain('canary');
      seen.add(text.includes('protected under') ? 'protected' : text.slice(0, 30));
    }
    expect([...seen]).toContain('protected');
  });

  it('that can not be asked about stays closed [FT13]', async () => {
    linkSync(bench.at('plain.txt'), bench.at('second.txt'));
    using files = GrantedFiles.open({ roots: [{ path: bench.root, access: 'rw' }] });
    await expect(files.locateReadable('second.txt')).rejects.toThrow('is protected under another name');
    using unasked = files.locate('second.txt', 'read');
    expect(() => openFileForReading(unasked, '')).toThrow('was not compared with protected files');
  });
});

/** Mounts need a private mount namespace, which some machines forbid. */
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
    const closed = ['whole', 'part', 'file', 'none'].map((name) => at('work', name));
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
