import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Embedder, openMemoryIndex, ProfileFiles } from '@bulkhead/memory';
import { systemTimers } from '@bulkhead/protocol';
import { memoryTables } from '@bulkhead/sessions/testing';
import { createRedaction, type Label } from '@bulkhead/shield';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlainIndex } from '../testing/plain-index.ts';
import { createLineRecords } from './line-records.ts';
import type { IndexedSession, IndexedText, MemoryIndex } from './memory-index.ts';
import { MemoryLabels } from './memory-labels.ts';
import { MemoryService } from './memory-service.ts';
import { MemoryView } from './memory-view.ts';

const NOW = new Date(2026, 10, 22, 12).getTime();

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-service-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function openService(
  changes: Partial<MemoryIndex> = {},
  secrets: readonly string[] = [],
  sessions: readonly IndexedSession[] = [],
) {
  const warnings: string[] = [];
  const shown: (readonly [text: string, label: Label | undefined])[] = [];
  const synced: (readonly IndexedText[])[] = [];
  const counts = { opened: 0 };
  const files = new ProfileFiles(root, () => '0123456789abcdef');
  const plain = createPlainIndex();
  const index: MemoryIndex = {
    ...plain,
    sync: async (texts, options) => {
      synced.push(texts);
      await plain.sync(texts, options);
    },
    ...changes,
  };
  const view = new MemoryView({
    files,
    sessions: () => sessions,
    open: async () => {
      counts.opened += 1;
      return index;
    },
    tell: (problem) => warnings.push(problem),
  });
  const labels = new MemoryLabels({
    files,
    redaction: createRedaction(secrets),
    records: createLineRecords(memoryTables(), 'default'),
    labelOfSession: () => ({ secrecy: 'internal', trust: 'user' }),
  });
  const service = new MemoryService({
    isEnabled: true,
    byMeaning: false,
    files,
    view,
    labels,
    timers: systemTimers,
    clock: { now: () => NOW },
    redaction: createRedaction(secrets),
    shown: (_session, text, label) => shown.push([text, label]),
    tell: (problem) => warnings.push(problem),
  });
  const recall = (message: string) => service.recall({ sessionId: 's', message, now: NOW });
  return { service, view, recall, warnings, shown, synced, counts };
}

describe('MemoryService', () => {
  it('costs a home without memory nothing [M3]', async () => {
    const { recall, service, shown, counts, view } = openService();
    await using _view = view;
    await expect(recall('hello')).resolves.toEqual({ chunks: [], notes: [] });
    await expect(service.search('hello', 5)).resolves.toEqual([]);
    expect(shown).toEqual([]);
    expect(counts.opened).toBe(0);
  });

  it('gives a turn what is near and the notes of three days, and nothing twice [M1] [M3]', async () => {
    put('MEMORY.md', '- The cat is called Miso\n');
    for (const day of ['01', '09', '20', '21'])
      put(`memory/202611/202611${day}.md`, `- Miso slept on the ${day}th\n`);
    put('USER.md', '- Miso belongs to the user\n');
    put('AGENTS.md', 'Feed Miso\n');
    const { recall, shown, view } = openService();
    await using _view = view;
    put('knowledge/cats.md', '- Miso sleeps like all cats\n');
    const { chunks, notes, whole } = await recall('Where did Miso sleep?');
    expect(notes.map(({ date }) => date)).toEqual(['2026-11-09', '2026-11-20', '2026-11-21']);
    expect(chunks.map(({ path }) => path).toSorted()).toEqual([
      'knowledge/cats.md',
      'memory/202611/20261101.md',
    ]);
    expect(whole).toBe('- The cat is called Miso');
    expect(shown).toHaveLength(1);
    expect(shown[0]?.[0]).toContain('called Miso');
  });

  it('shows at most five, and nothing far from the nearest [M3]', async () => {
    const far = { score: 1, path: 'knowledge/far.md' };
    const hit = { source: 'memory', heading: '', date: '', lines: [1, 1], text: 'x' } as const;
    const near = Array.from({ length: 7 }, (_, at) => ({
      ...hit,
      score: 10 - at,
      path: `knowledge/${at}.md`,
    }));
    put('MEMORY.md', 'x\n');
    const { recall, view } = openService({
      search: async (_query, { limit }) => [...near, { ...hit, ...far }].slice(0, limit),
    });
    await using _view = view;
    expect((await recall('x')).chunks.map(({ score }) => score)).toEqual([10, 9, 8, 7, 6]);
    const few = openService({
      search: async () => [
        { ...hit, score: 10, path: 'a.md' },
        { ...hit, ...far },
      ],
    });
    await using _few = few.view;
    expect((await few.recall('x')).chunks).toHaveLength(1);
  });

  it('never keeps a turn waiting for a search, nor fails it, and says so once it did [M3]', async () => {
    put('knowledge/cat.md', '- The cat is called Miso\n');
    const never = openService({ search: () => new Promise(() => {}) });
    await using _never = never.view;
    await expect(never.recall('cat')).resolves.toMatchObject({ chunks: [] });
    expect(never.warnings.join()).toContain('the search took too long');
    const broken = openService({ sync: () => Promise.reject(new Error('no space')) });
    await using _broken = broken.view;
    await expect(broken.recall('cat')).resolves.toEqual({ chunks: [], notes: [] });
    expect(broken.warnings.join()).toContain('no space');
  });

  it.each([
    ['answers as slowly as a server does', 100],
    ['never answers', undefined],
  ] as const)('shows a turn its memory when the provider of vectors %s [M2] [M3]', async (_what, ms) => {
    put('knowledge/cat.md', '- The cat is called Miso\n');
    const embedder: Embedder = {
      id: 'far',
      dimension: 4,
      async embed(texts, purpose, asked) {
        const wait = purpose === 'query' ? ms : 0;
        if (wait === undefined) await once(asked, 'abort');
        else await setTimeout(wait);
        return texts.map(() => Float32Array.of(1, 0, 0, 0));
      },
    };
    const index = openMemoryIndex({ path: join(root, 'index.db'), onNotice: () => {}, embedder });
    const { recall, service, view, warnings } = openService({
      sync: (texts, options) => index.sync(texts, options),
      search: (query, options) => index.search(query, options),
      [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
    });
    await using _view = view;
    await service.warm();
    await expect.poll(async () => (await index.size()).waiting).toBe(0);
    expect((await recall('Where is the cat?')).chunks.map(({ path }) => path)).toEqual(['knowledge/cat.md']);
    expect(warnings).toEqual([]);
  });

  it('reads only what changed, and finds what was written by hand just before [M1]', async () => {
    put('MEMORY.md', '- The cat is called Miso\n');
    const { service, synced, view } = openService();
    await using _view = view;
    await service.search('cat', 5);
    await service.search('cat', 5);
    expect(synced).toHaveLength(1);
    put('memory/202611/20261122.md', '- A dog came by\n');
    expect((await service.search('dog', 5))[0]?.path).toBe('memory/202611/20261122.md');
    rmSync(join(root, 'MEMORY.md'));
    expect(await service.search('cat', 5)).toEqual([]);
  });

  it('finds nothing of a file that was the only one, once it is gone, also if turns looked meanwhile [M1]', async () => {
    put('MEMORY.md', '- The cat is called Miso\n');
    const { service, recall, view } = openService();
    await using _view = view;
    await recall('Where is the cat?');
    expect(await service.search('cat', 5)).toHaveLength(1);
    put('MEMORY.md', '- The cat is called Misi\n');
    await recall('Where is the cat?');
    rmSync(join(root, 'MEMORY.md'));
    expect(await service.search('cat', 5)).toEqual([]);
  });

  it('reads no past session for a turn, which is shown none, and all of them for a search [M1]', async () => {
    put('MEMORY.md', `${'- The cat is called Miso\n'.repeat(60)}`);
    let read = 0;
    const sessions = ['a', 'b'].map((id) => ({
      source: 'session' as const,
      path: `sessions/${id}`,
      version: '1',
      read: async () => {
        read += 1;
        return `user: The cat of session ${id}`;
      },
    }));
    const { service, recall, synced, view } = openService({}, [], sessions);
    await using _view = view;
    const paths = async () => (await service.search('session', 5)).map(({ path }) => path);
    expect((await recall('Which cat?')).chunks.map(({ path }) => path)).toContain('MEMORY.md');
    expect([synced.length, read]).toEqual([1, 0]);
    expect((await paths()).toSorted()).toEqual(['sessions/a', 'sessions/b']);
    put('MEMORY.md', `${'- The dog is called Tofu\n'.repeat(60)}`);
    expect((await recall('Which dog?')).chunks.map(({ path }) => path)).toContain('MEMORY.md');
    expect(read).toBe(2);
    sessions.pop();
    expect(await paths()).toEqual(['sessions/a']);
  });

  it('gives one clear warning for each problem, and finds the rest [M1]', async () => {
    put('MEMORY.md', '- The cat is called Miso\n');
    put('MEMORY (conflicted copy).md', '- The cat is called Tofu\n');
    symlinkSync('/etc/passwd', join(root, 'HEARTBEAT.md'));
    const { service, warnings, view } = openService();
    await using _view = view;
    expect(await service.search('cat', 5)).toHaveLength(2);
    await service.search('cat', 5);
    expect(warnings).toHaveLength(2);
    expect(warnings.join('\n')).toMatch(/HEARTBEAT.md is a link.*\n.*conflicted copy/su);
  });

  it('shows a small MEMORY.md whole, in every turn, and of a larger one what is near [C3]', async () => {
    put('MEMORY.md', '\n- The cat is called Miso\n');
    const { recall, view, shown } = openService();
    await using _view = view;
    expect(await recall('What is left to do?')).toEqual({
      chunks: [],
      notes: [],
      whole: '- The cat is called Miso',
    });
    expect(shown[0]?.[0]).toContain('called Miso');
    put('MEMORY.md', `- The cat is called Miso\n\n# Else\n\n${'- Nothing of note happened\n'.repeat(60)}`);
    const large = await recall('Where is the cat?');
    expect(large.whole).toBeUndefined();
    expect(large.chunks.map(({ path }) => path)).toContain('MEMORY.md');
    put('MEMORY.md', ' \n');
    expect(await recall('Where is the cat?')).toEqual({ chunks: [], notes: [] });
  });

  it('lets no known secret out of a file of memory [A7]', async () => {
    put('knowledge/doors.md', '- The cat door has a token\n');
    put('MEMORY.md', '- The token of the cat door is Zq81kkPm27xVt04c\n');
    const { recall, service, view } = openService({}, ['Zq81kkPm27xVt04c']);
    await using _view = view;
    expect(JSON.stringify([await recall('cat door'), await service.search('cat', 5)])).not.toContain('Zq81');
  });
});
