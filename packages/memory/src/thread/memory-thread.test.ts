import { existsSync } from 'node:fs';
import { systemTimers } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { TextFolder } from '../testing/text-folder.ts';
import type { Embedder } from '../vectors/index.ts';
import { MemoryThread, type MemoryThreadOptions } from './memory-thread.ts';

const now = new Date('2026-11-22T12:00:00Z');
const entry = new URL('./main.ts', import.meta.url);

function open(folder: TextFolder, more: Partial<MemoryThreadOptions> = {}) {
  return new MemoryThread({
    entry,
    path: folder.index(),
    onNotice: folder.onNotice,
    timers: systemTimers,
    ...more,
  });
}

describe('the index in a thread of its own [M2]', () => {
  it('is not started before it is asked, and finds what files and sessions say', async () => {
    using folder = new TextFolder();
    await using index = open(folder);
    expect(index.started).toBe(false);
    folder.write('MEMORY.md', 'Oskar is a cat. \xff');
    const session = {
      source: 'session',
      path: 'sessions/a',
      version: '1',
      read: async () => 'We spoke of comets.',
    } as const;
    expect(await index.sync([...folder.texts, session])).toMatchObject({ indexed: 2 });
    expect((await index.search('Oskar', { now }))[0]).toMatchObject({ path: 'MEMORY.md' });
    expect((await index.search('comets', { now, sources: ['session'] }))[0]).toMatchObject({
      path: 'sessions/a',
    });
    expect(await index.size()).toMatchObject({ texts: 2 });
    await index.clear();
    expect(await index.size()).toMatchObject({ texts: 0 });
    expect(index.started).toBe(true);
  });

  it('hands on notices, and failures with their code and way out', async () => {
    using folder = new TextFolder();
    folder.write('MEMORY.md', Uint8Array.from([0x61, 0xff]));
    {
      await using index = open(folder);
      await index.sync(folder.texts);
    }
    expect(folder.codes).toEqual(['text_not_utf8 MEMORY.md']);
    await using nowhere = open(folder, { path: folder.index('no/such/place') });
    await expect(nowhere.size()).rejects.toMatchObject({
      code: 'store_failed',
      fix: expect.stringContaining('right'),
    });
  });

  it('asks the engine for vectors', async () => {
    using folder = new TextFolder();
    folder.write('a.md', 'The cat sleeps.');
    folder.write('b.md', 'Coffee at nine.');
    const embedder: Embedder = {
      id: 'asked',
      dimension: 2,
      embed: async (texts) =>
        texts.map((text) => Float32Array.from(/coffee|thirst/i.test(text) ? [1, 0] : [0, 1])),
    };
    await using index = open(folder, { embedder });
    await index.sync(folder.texts);
    await expect.poll(async () => (await index.size()).waiting).toBe(0);
    expect((await index.search('thirst', { now }))[0]).toMatchObject({ path: 'b.md' });
  });

  it('is replaced when it crashes, and what it was asked is answered', async () => {
    using folder = new TextFolder();
    folder.write('MEMORY.md', 'Oskar will please nobody by a crash.');
    await using index = open(folder, { entry: new URL('./crashing-thread.child.ts', import.meta.url) });
    await index.sync(folder.texts);
    const answers = await Promise.all([
      index.search('please crash', { now }),
      index.search('Oskar', { now }),
    ]);
    expect(answers.map((hits) => hits[0]?.path)).toEqual(['MEMORY.md', 'MEMORY.md']);
    expect(existsSync(`${folder.index()}.crashed`)).toBe(true);
  });

  it('stops what is cancelled, and goes on', async () => {
    using folder = new TextFolder();
    await using index = open(folder);
    const cancel = new AbortController();
    const { promise, resolve } = Promise.withResolvers<string>();
    const session = {
      source: 'session' as const,
      path: 'sessions/a',
      version: '1',
      read: async () => {
        cancel.abort();
        return await promise;
      },
    };
    await expect(index.sync([session], { signal: cancel.signal })).rejects.toThrow('abort');
    resolve('late');
    expect(await index.search('late', { now })).toBeInstanceOf(Array);
  });

  it('ends without requests, starts again with the next one, and refuses once it is closed', async () => {
    using folder = new TextFolder();
    folder.write('MEMORY.md', 'Oskar is a cat.');
    const index = open(folder, { idle: 20 });
    await index.sync(folder.texts);
    await expect.poll(() => index.started).toBe(false);
    expect(await index.search('Oskar', { now })).toHaveLength(1);
    await index[Symbol.asyncDispose]();
    expect(index.started).toBe(false);
    await expect(index.size()).rejects.toMatchObject({ code: 'cancelled' });
  });
});
