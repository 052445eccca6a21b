import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMemoryIndex } from '../index/memory-index.ts';
import { TextFolder } from '../testing/text-folder.ts';
import type { Embedder } from './embedder.ts';

const now = new Date('2026-11-22T12:00:00Z');

/**
 * An embedder with a server that the test can break. Its vectors distinguish animals and drinks.
 */
class ScriptedEmbedder implements Embedder {
  id = 'scripted';
  dimension = 4;
  texts: string[] = [];
  /** Answers without vectors if a request contains such a text. */
  poison: RegExp | undefined;
  broken: 'refuses' | 'hangs' | 'few' | 'mixed' | 'nan' | undefined;

  async embed(texts: readonly string[], purpose: 'document' | 'query'): Promise<readonly Float32Array[]> {
    if (purpose === 'document') this.texts.push(...texts);
    if (texts.some((text) => this.poison?.test(text))) return [];
    switch (this.broken) {
      case 'refuses':
        throw new Error('503 from the server');
      case 'hangs':
        return await new Promise(() => undefined);
      case 'few':
        return [];
      case 'mixed':
        return texts.map((_, at) => new Float32Array(at + 1).fill(1));
      case 'nan':
        return texts.map(() => new Float32Array(this.dimension).fill(Number.NaN));
      default:
        return texts.map((text) => this.#vector(text));
    }
  }

  #vector(text: string): Float32Array {
    const vector = new Float32Array(this.dimension).fill(0.01);
    if (/cat|dog|pet/i.test(text)) vector[0] = 1;
    if (/tea|coffee|thirst/i.test(text)) vector[1] = 1;
    if (/else/.test(text)) vector[3] = 1;
    return vector;
  }
}

/** Time controlled by the test. */
class ManualTime {
  #now = 0;
  #timers: { readonly at: number; readonly run: () => void }[] = [];
  readonly clock = { now: () => now.getTime(), monotonic: () => this.#now };
  readonly timers = {
    after: (ms: number, run: () => void) => {
      const timer = { at: this.#now + ms, run };
      this.#timers.push(timer);
      return { [Symbol.dispose]: () => void this.#timers.splice(this.#timers.indexOf(timer) >>> 0, 1) };
    },
  };

  pass(ms: number): void {
    this.#now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter(({ at }) => at > this.#now);
    for (const { run } of due) run();
  }
}

describe('vectors of an embedding provider [M2]', () => {
  let folder: TextFolder;
  let embedder: ScriptedEmbedder;
  let time: ManualTime;
  beforeEach(() => {
    folder = new TextFolder();
    embedder = new ScriptedEmbedder();
    time = new ManualTime();
    folder.write('a.md', 'The cat sleeps.');
    folder.write('b.md', 'Coffee at nine.');
  });
  afterEach(() => folder[Symbol.dispose]());

  const open = () =>
    openMemoryIndex({
      path: folder.index(),
      onNotice: folder.onNotice,
      embedder,
      clock: time.clock,
      timers: time.timers,
    });
  type Index = ReturnType<typeof open>;
  const settled = (index: Index, waiting = 0) =>
    expect.poll(async () => (await index.size()).waiting).toBe(waiting);
  const best = async (index: Index, query: string) => (await index.search(query, { now }))[0]?.path;
  /** Similarity of a text to a query; shows vectors where no word matches. */
  const nearness = async (index: Index, path: string, query: string) =>
    (await index.search(query, { now })).find((hit) => hit.path === path)?.score ?? 0;

  it('find what has no word in common, and are made once for the same words', async () => {
    {
      await using index = open();
      await index.sync(folder.texts);
      await settled(index);
      expect(await best(index, 'thirsty')).toBe('b.md');
      expect(await best(index, 'pets')).toBe('a.md');
      folder.write('c.md', 'The cat sleeps.');
      folder.write('b.md', 'Coffee at nine.\n');
      await index.sync(folder.texts);
      await settled(index);
      await index.clear();
      await index.sync(folder.texts);
      await settled(index);
    }
    await using again = open();
    expect(await best(again, 'thirsty')).toBe('b.md');
    expect(embedder.texts.toSorted()).toEqual(['Coffee at nine.', 'The cat sleeps.']);
    expect(folder.codes).toEqual([]);
  });

  it.each(['refuses', 'few', 'mixed', 'nan'] as const)(
    'are done without while the server %s: one notice, words alone answer, later all is well',
    async (broken) => {
      embedder.broken = broken;
      folder.write('c.md', 'Something else.');
      await using index = open();
      await index.sync(folder.texts);
      await expect.poll(() => folder.codes).toEqual(['embedder_failed']);
      expect(await best(index, 'coffee')).toBe('b.md');
      const byWords = await nearness(index, 'b.md', 'thirsty');
      const asked = embedder.texts.length;
      await index.sync(folder.texts);
      expect(embedder.texts).toHaveLength(asked);
      time.pass(1_000);
      await expect.poll(() => embedder.texts.length).toBe(2 * asked);
      time.pass(1_000);
      expect(embedder.texts).toHaveLength(2 * asked);
      embedder.broken = undefined;
      time.pass(1_000);
      await settled(index);
      expect(await best(index, 'thirsty')).toBe('b.md');
      expect(await nearness(index, 'b.md', 'thirsty')).toBeGreaterThan(byWords);
      expect(folder.codes).toEqual(['embedder_failed']);
    },
  );

  it('are asked for a few times only where each answer may be paid for, and the others are made [D2]', async () => {
    embedder.poison = /cat/;
    await using index = open();
    await index.sync(folder.texts);
    await settled(index, 2);
    for (let step = 0; step < 40; step += 1) {
      time.pass(600_000);
      await index.size();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await settled(index);
    const asked = (word: string) => embedder.texts.filter((text) => text.includes(word)).length;
    expect(asked('cat')).toBe(8);
    expect(asked('Coffee')).toBe(3);
    expect(await best(index, 'thirsty')).toBe('b.md');
    // Other words make another text.
    embedder.poison = /never/;
    folder.write('a.md', 'The cat wakes.');
    await index.sync(folder.texts);
    time.pass(600_000);
    await settled(index);
    expect(asked('cat')).toBe(9);
  });

  it('are asked for without end while nothing is answered', async () => {
    embedder.broken = 'refuses';
    await using index = open();
    await index.sync(folder.texts);
    for (let step = 1; step <= 20; step += 1) {
      await expect.poll(() => embedder.texts.length).toBe(2 * step);
      await new Promise((resolve) => setTimeout(resolve, 2));
      time.pass(600_000);
    }
    await expect.poll(() => embedder.texts.length).toBe(42);
    embedder.broken = undefined;
    await new Promise((resolve) => setTimeout(resolve, 2));
    time.pass(600_000);
    await settled(index);
  });

  it('keep no query waiting', async () => {
    await using index = open();
    await index.sync(folder.texts);
    await settled(index);
    embedder.broken = 'hangs';
    const answer = index.search('coffee', { now, vectorWithin: 30 });
    await new Promise((resolve) => setImmediate(resolve));
    time.pass(30);
    expect((await answer)[0]?.path).toBe('b.md');
    expect(folder.codes).toEqual([]);
  });

  it('are all made again when the server changes its dimension: one notice, and no comparison with the old', async () => {
    await using index = open();
    await index.sync(folder.texts);
    await settled(index);
    const near = await nearness(index, 'b.md', 'thirsty');
    embedder.dimension = 6;
    expect(await nearness(index, 'b.md', 'thirsty')).toBeLessThan(near);
    folder.write('c.md', 'A dog barks.');
    await index.sync(folder.texts);
    await settled(index, 2);
    expect(folder.codes).toEqual(['embedder_changed']);
    time.pass(1_000);
    await settled(index);
    expect(await nearness(index, 'b.md', 'thirsty')).toBeGreaterThan(
      await nearness(index, 'c.md', 'thirsty'),
    );
    expect(embedder.texts).toHaveLength(5);
  });

  it('are dropped when another embedder is chosen', async () => {
    {
      await using index = open();
      await index.sync(folder.texts);
      await settled(index);
    }
    embedder = new ScriptedEmbedder();
    embedder.id = 'another';
    embedder.broken = 'refuses';
    await using index = open();
    await index.sync(folder.texts);
    embedder.broken = undefined;
    const byWords = await nearness(index, 'b.md', 'thirsty');
    await settled(index, 2);
    time.pass(1_000);
    await settled(index);
    expect(await nearness(index, 'b.md', 'thirsty')).toBeGreaterThan(byWords);
    expect(embedder.texts).toHaveLength(4);
  });
});
