import { statSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MemorySource } from '../memory-hit.ts';
import { TextFolder } from '../testing/text-folder.ts';
import { type MemoryIndex, openMemoryIndex } from './memory-index.ts';
import type { GivenText } from './memory-text.ts';

const now = new Date('2026-11-22T12:00:00Z');

function open(folder: TextFolder, name = 'index.db', textCap?: number) {
  const cap = textCap === undefined ? {} : { textCap };
  return openMemoryIndex({ path: folder.index(name), onNotice: folder.onNotice, ...cap });
}

/** Returns hits that contain a word. */
async function found(
  index: MemoryIndex,
  word: string,
  options: { sources?: readonly MemorySource[]; limit?: number } = {},
) {
  const hits = await index.search(word, { now, ...options });
  return hits.filter(({ text }) => text.toLowerCase().includes(word.toLowerCase()));
}

describe('search over texts [M2]', () => {
  it('finds a line, and says where it is, under which heading and of which day', async () => {
    using folder = new TextFolder();
    folder.write('MEMORY.md', '# Pets\n\nThe cat is called Oskar.\n\n# Boats\n\nSold the dinghy.\n');
    folder.write('memory/202611/20261120.md', 'Talked about the dentist.\n', 'daily');
    await using index = open(folder);
    expect(await index.sync(folder.texts)).toEqual({ indexed: 2, unchanged: 0, removed: 0, failed: 0 });
    const [hit, ...others] = await index.search('when was the dentist?', { now });
    expect(others.filter(({ path }) => path.includes('20261120'))).toEqual([]);
    expect(hit).toEqual({
      source: 'daily',
      path: 'memory/202611/20261120.md',
      heading: '',
      date: '2026-11-20',
      lines: [1, 1],
      text: 'Talked about the dentist.',
      score: expect.any(Number),
    });
    const [cat] = await index.search('cat', { now });
    expect(cat).toMatchObject({ heading: 'Pets', lines: [1, 7] });
    expect(folder.notices).toEqual([]);
  });

  it('keeps in step with files that are changed, added and removed by hand', async () => {
    using folder = new TextFolder();
    await using index = open(folder);
    folder.write('MEMORY.md', 'I like tea.');
    folder.write('knowledge/a.md', 'Volcanoes are hot.', 'knowledge');
    await index.sync(folder.texts);
    folder.write('MEMORY.md', 'I like coffee.');
    folder.remove('knowledge/a.md');
    folder.write('knowledge/b.md', 'Glaciers are cold.', 'knowledge');
    expect(await index.sync(folder.texts)).toEqual({ indexed: 2, unchanged: 0, removed: 1, failed: 0 });
    expect(await found(index, 'tea')).toEqual([]);
    expect(await found(index, 'volcanoes')).toEqual([]);
    expect(await found(index, 'coffee')).toHaveLength(1);
    expect(await found(index, 'glaciers', { sources: ['knowledge'] })).toHaveLength(1);
    expect(await found(index, 'glaciers', { sources: ['memory'] })).toEqual([]);
    expect(await index.size()).toEqual({ texts: 2, chunks: 2, waiting: 0 });
  });

  it('sees a change of the same size within the same moment', async () => {
    using folder = new TextFolder();
    await using index = open(folder);
    for (let time = 0; time < 20; time += 1) {
      folder.write('MEMORY.md', `word${String.fromCharCode(97 + time)}`);
      await index.sync(folder.texts);
      expect(await index.search(`word${String.fromCharCode(97 + time)}`, { now })).toHaveLength(1);
    }
  });

  it('asks for the text of a session only when its version is another, and leaves other sources alone', async () => {
    using folder = new TextFolder();
    await using index = open(folder);
    folder.write('MEMORY.md', 'I like tea.');
    await index.sync(folder.texts);
    const asked: string[] = [];
    const session = (version: string): GivenText => ({
      source: 'session',
      path: 'sessions/ses_1',
      version,
      read: async () => {
        asked.push(version);
        return `We spoke of comets in ${version}.`;
      },
    });
    const options = { sources: ['session'] } as const;
    await index.sync([session('v1')], options);
    await index.sync([session('v1')], options);
    await index.sync([session('v2')], options);
    expect(asked).toEqual(['v1', 'v2']);
    expect(await found(index, 'comets')).toMatchObject([{ source: 'session', path: 'sessions/ses_1' }]);
    expect(await found(index, 'tea')).toHaveLength(1);
    await index.sync([], options);
    expect(await found(index, 'comets')).toEqual([]);
    expect(await found(index, 'tea')).toHaveLength(1);
  });

  it('gives no two hits with the same words, nor one that overlap alone makes', async () => {
    using folder = new TextFolder();
    const lines = Array.from({ length: 64 }, (_, at) => `Line ${at} has nothing to say`);
    lines[60] = 'The zeppelin landed.';
    folder.write('MEMORY.md', lines.join('\n'));
    folder.write('MEMORY (conflicted copy).md', lines.join('\n'));
    await using index = open(folder);
    await index.sync(folder.texts);
    expect((await index.size()).chunks).toBe(4);
    expect(await found(index, 'zeppelin')).toHaveLength(1);
  });

  it('is private, and says after a restart what it said before', async () => {
    using folder = new TextFolder();
    folder.write('MEMORY.md', 'Oskar is a cat.');
    {
      await using index = open(folder);
      await index.sync(folder.texts);
      expect(statSync(folder.index()).mode & 0o777).toBe(0o600);
      expect(statSync(`${folder.index()}-wal`).mode & 0o777).toBe(0o600);
    }
    await using again = open(folder);
    expect(await again.search('oskar', { now })).toHaveLength(1);
  });

  it('answers queries of any kind', async () => {
    using folder = new TextFolder();
    folder.write('MEMORY.md', 'Oskar said: "c\'est la vie" — straße, 日本語, \u{1f600}, c++ AND NOT x*');
    await using index = open(folder);
    await index.sync(folder.texts);
    for (const query of [
      '',
      '"',
      "'; DROP TABLE files; --",
      'AND OR NOT NEAR(',
      '* ^ :',
      '\u{1f600}',
      '\ud800',
      '\0',
      'x'.repeat(1e6),
    ]) {
      expect(await index.search(query, { now })).toBeInstanceOf(Array);
    }
    for (const query of ['straße', '日本語', 'OSKAR', 'vie "']) {
      expect(await index.search(query, { now })).toHaveLength(1);
    }
  });
});

describe('the index is a view [M2]', () => {
  const word = fc.constantFrom(
    'cat',
    'dog',
    'tea',
    'boat',
    'comet',
    'Oskar',
    'dentist',
    'garden',
    'the',
    'was',
  );
  const line = fc.oneof(
    fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
    fc.constantFrom('', '# Home', '## 2026-05-01', '```'),
    word.map((one) => `${one} `.repeat(300)),
  );
  const text = fc.array(line, { maxLength: 40 }).map((lines) => lines.join('\n'));
  const path = fc.constantFrom('MEMORY.md', 'a.md', 'memory/202605/20260501.md', 'knowledge/b.md');
  const edit = fc.record({ path, text: fc.option(text, { nil: undefined }), sync: fc.boolean() });

  it('after any edits, one kept in step answers as one made anew', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 12 }), async (edits) => {
        using folder = new TextFolder();
        await using kept = open(folder, 'kept.db');
        for (const { path: where, text: content, sync } of edits) {
          folder.change(where, content);
          if (sync) await kept.sync(folder.texts);
        }
        await kept.sync(folder.texts);
        await using fresh = open(folder, 'fresh.db');
        await fresh.sync(folder.texts);
        for (const query of ['cat', 'the dog was in the garden', 'Oskar comet tea', 'boat May 2026']) {
          const limit = 20;
          expect(await kept.search(query, { now, limit })).toEqual(await fresh.search(query, { now, limit }));
        }
        expect(await kept.size()).toEqual(await fresh.size());
        expect(folder.notices).toEqual([]);
      }),
      { numRuns: 8 },
    );
  }, 360_000);
});
