import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { chunkText } from '../chunks/index.ts';
import { TextFolder } from '../testing/text-folder.ts';
import { type MemoryIndex, openMemoryIndex } from './memory-index.ts';

const now = new Date('2026-11-22T12:00:00Z');

function open(folder: TextFolder, more: { textCap?: number } = {}) {
  return openMemoryIndex({ path: folder.index(), onNotice: folder.onNotice, ...more });
}

async function finds(index: MemoryIndex, word: string): Promise<boolean> {
  const hits = await index.search(word, { now });
  return hits.some(({ text }) => text.includes(word));
}

describe('texts that are no texts [M2]', () => {
  it('indexes a file over the cap up to it, with one notice', async () => {
    using folder = new TextFolder();
    folder.write('MEMORY.md', `first zeppelin\n${'filler words here\n'.repeat(10_000)}last dirigible\n`);
    await using index = open(folder, { textCap: 64 * 1024 });
    await index.sync(folder.texts);
    appendFileSync(folder.file('MEMORY.md'), 'more\n');
    await index.sync(folder.texts);
    expect(folder.codes).toEqual(['text_cut MEMORY.md']);
    expect(folder.notices[0]?.text).toContain('64 KiB');
    expect(await finds(index, 'zeppelin')).toBe(true);
    expect(await finds(index, 'dirigible')).toBe(false);
  });

  it('50 MB take no more than the cap allows', async () => {
    using folder = new TextFolder();
    folder.write('MEMORY.md', Buffer.alloc(50_000_000, 'x'));
    folder.write('b.md', 'zeppelin');
    await using index = open(folder, { textCap: 1024 * 1024 });
    await index.sync(folder.texts);
    expect(folder.codes).toEqual(['text_cut MEMORY.md']);
    expect((await index.size()).chunks).toBeLessThan(1_000);
    expect(await finds(index, 'zeppelin')).toBe(true);
  });

  it('reports or repairs invalid UTF-8, NUL and line ends of other systems, and finds the rest', async () => {
    using folder = new TextFolder();
    folder.write('latin1.md', Buffer.concat([Buffer.from('caf\xe9 zeppelin\n', 'latin1')]));
    folder.write('nul.md', 'before\0after dirigible');
    folder.write('mac.md', '\ufeff# Title\r\nballoon\r\n');
    folder.write(
      'binary.md',
      Uint8Array.from({ length: 5_000 }, (_, at) => (at * 7) % 256),
    );
    await using index = open(folder);
    await index.sync(folder.texts);
    expect(folder.codes.toSorted()).toEqual(['text_not_utf8 binary.md', 'text_not_utf8 latin1.md']);
    for (const word of ['zeppelin', 'dirigible', 'balloon']) expect(await finds(index, word)).toBe(true);
    expect((await index.search('balloon', { now }))[0]).toMatchObject({ heading: 'Title', lines: [1, 2] });
  });

  it('links, folders and pipes are no texts, and nothing outside is read', async () => {
    using folder = new TextFolder();
    writeFileSync(folder.index('secret'), 'zeppelin');
    folder.write('a.md', 'x');
    folder.write('deep/a.md', 'x');
    folder.write('b.md', 'x');
    const texts = [...folder.texts, { source: 'memory' as const, path: '../secret', folder: folder.folder }];
    await using index = open(folder);
    await index.sync(texts);
    folder.remove('a.md');
    folder.remove('b.md');
    symlinkSync(folder.index('secret'), folder.file('a.md'));
    mkdirSync(folder.file('b.md'));
    expect(await index.sync(texts)).toMatchObject({ removed: 2 });
    expect(await finds(index, 'zeppelin')).toBe(false);
    expect(await index.size()).toMatchObject({ texts: 1 });
  });

  it.skipIf(process.getuid?.() === 0)(
    'what may not be read stays known, told once until it can',
    async () => {
      using folder = new TextFolder();
      folder.write('a.md', 'zeppelin');
      await using index = open(folder);
      await index.sync(folder.texts);
      chmodSync(folder.file('a.md'), 0);
      await index.sync(folder.texts);
      expect(await index.sync(folder.texts)).toMatchObject({ failed: 1, removed: 0 });
      expect(folder.codes).toEqual(['text_unreadable a.md']);
      expect(await finds(index, 'zeppelin')).toBe(true);
    },
  );

  it('a text whose owner fails stays known, and others are indexed', async () => {
    using folder = new TextFolder();
    await using index = open(folder);
    const session = (version: string, fails: boolean) => ({
      source: 'session' as const,
      path: 'sessions/a',
      version,
      read: async () => {
        if (fails) throw new Error('gone');
        return 'zeppelin';
      },
    });
    await index.sync([session('1', false)]);
    folder.write('b.md', 'dirigible');
    expect(await index.sync([session('2', true), ...folder.texts])).toMatchObject({ failed: 1, indexed: 1 });
    expect(await finds(index, 'zeppelin')).toBe(true);
    expect(await finds(index, 'dirigible')).toBe(true);
    expect(folder.codes).toEqual(['text_unreadable sessions/a']);
  });

  it('indexes a file that changes all the time, with one notice, and looks at it again', async () => {
    using folder = new TextFolder();
    folder.write('a.md', 'zeppelin\n'.repeat(40_000));
    await using index = open(folder);
    let reading = true;
    const write = async () => {
      while (reading) {
        appendFileSync(folder.file('a.md'), 'more\n');
        await setImmediate();
      }
    };
    const writing = write();
    await index.sync(folder.texts);
    reading = false;
    await writing;
    expect(folder.codes).toEqual(['text_changing a.md']);
    appendFileSync(folder.file('a.md'), 'dirigible\n');
    await index.sync(folder.texts);
    expect(await finds(index, 'dirigible')).toBe(true);
  });
});

describe('an index that is none [M2]', () => {
  const damage: readonly (readonly [string, (path: string) => void])[] = [
    [
      'text',
      (path) => writeFileSync(path, 'no database at all, but long enough to look at it twice'.repeat(100)),
    ],
    [
      'another database',
      (path) => {
        rmSync(path);
        new DatabaseSync(path).exec('CREATE TABLE files (id)');
      },
    ],
    ['one of a newer version', (path) => void new DatabaseSync(path).exec('PRAGMA user_version = 99')],
    ['one without a table', (path) => void new DatabaseSync(path).exec('DROP TABLE texts')],
    [
      'one with torn pages',
      (path) => {
        const bytes = readFileSync(path);
        bytes.fill(0xaa, 4_096);
        writeFileSync(path, bytes);
      },
    ],
  ];

  it.each(damage)('%s is made anew from the files, with one notice', async (_, spoil) => {
    using folder = new TextFolder();
    folder.write('MEMORY.md', 'zeppelin\n'.repeat(600));
    {
      await using index = open(folder);
      await index.sync(folder.texts);
    }
    spoil(folder.index());
    await using index = open(folder);
    await index.sync(folder.texts);
    expect(await finds(index, 'zeppelin')).toBe(true);
    expect(folder.codes).toEqual(['index_rebuilt']);
  });

  it('one that is damaged while it is open is made anew by what meets that', async () => {
    using folder = new TextFolder();
    folder.write('MEMORY.md', Array.from({ length: 3_000 }, (_, at) => `zeppelin number${at}`).join('\n'));
    await using index = open(folder);
    await index.sync(folder.texts);
    {
      using other = new DatabaseSync(folder.index(), { defensive: false });
      other.exec(
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 99999 WHERE name = 'texts'; CREATE TABLE t (a)",
      );
    }
    expect(await finds(index, 'number77')).toBe(true);
    expect(folder.codes).toEqual(['index_rebuilt']);
  });

  it('one of no use to a folder that is none says so', () => {
    using folder = new TextFolder();
    mkdirSync(folder.index());
    expect(() => open(folder)).toThrow(expect.objectContaining({ code: 'store_failed' }));
  });
});

describe('a process that is killed while it indexes [M2]', () => {
  it('leaves whole texts behind, and the next sync brings the rest', async () => {
    using folder = new TextFolder();
    const filler = 'words of no weight\n'.repeat(700);
    for (let at = 0; at < 60; at += 1) folder.write(`n${at}.md`, `topic${at} zeppelin\n${filler}`);
    const each = chunkText(`topic1 zeppelin\n${filler}`, 'a.md').length;
    const child = new URL('./killed-sync.child.ts', import.meta.url).pathname;
    for (const texts of [10, 55]) {
      const killed = spawn(process.execPath, [child, folder.index(), folder.folder, String(texts)], {
        stdio: 'inherit',
      });
      const [, signal] = await once(killed, 'exit');
      expect(signal).toBe('SIGKILL');
      await using half = open(folder);
      const { texts: known, chunks } = await half.size();
      expect(chunks).toBe(known * each);
      expect(known).toBeLessThan(60);
    }
    await using index = open(folder);
    await index.sync(folder.texts);
    expect(await index.size()).toMatchObject({ texts: 60, chunks: 60 * each, waiting: 0 });
    for (let at = 0; at < 60; at += 7) expect(await finds(index, `topic${at}`)).toBe(true);
    expect(folder.codes).toEqual([]);
  });
});
