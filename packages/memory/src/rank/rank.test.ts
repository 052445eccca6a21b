import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { terms } from '../text/terms.ts';
import type { Candidate, CorpusStats } from './candidate.ts';
import { rank } from './rank.ts';
import { Ranker } from './ranker.ts';

const NOW = new Date('2026-05-20T12:00:00Z');

function chunk(id: number, text: string, more: Partial<Candidate> = {}): Candidate {
  return { id, path: `memory/202605/${id}.md`, ordinal: 0, heading: '', date: '', text, ...more };
}

function statsOf(chunks: readonly Candidate[]): CorpusStats {
  const sets = chunks.map(({ text }) => new Set(terms(text)));
  return {
    chunks: chunks.length,
    averageTerms: 20,
    documentFrequency: (one) => sets.filter((set) => set.has(one)).length,
    alike: () => sets.flatMap((set) => [...set]),
  };
}

const order = (query: string, chunks: readonly Candidate[]) =>
  rank(query, NOW, chunks, statsOf(chunks)).map(({ id }) => id);

/** Chunks unrelated to every question below, so that words of the others are rare. */
const FILLER = [10, 11, 12, 13, 14, 15].map((id) =>
  chunk(id, `Nothing much happened, the sky was number ${id}.`),
);

describe('the reasons that bring a chunk forward [M2]', () => {
  it.each([
    [
      'the word in another form',
      'Who painted the fence?',
      'We are painting a fence.',
      'We are eating at a table.',
    ],
    ['an irregular form', 'What did we buy?', 'She bought a lamp.', 'She cleaned a lamp.'],
    [
      'a word that says the same',
      'Where is the bicycle?',
      'The bike stands outside.',
      'The lamp stands outside.',
    ],
    ['one of the kind', 'Which pets are there?', 'A hamster sleeps here.', 'A painter sleeps here.'],
    ['a number in words', 'Who is 40?', 'He is forty.', 'He is fifty.'],
    ['a slip of the pen', 'What about the refridgerator?', 'The refrigerator hums.', 'The radiator hums.'],
    [
      'another ending, in another language',
      'Welche Reparaturen?',
      'Die Reparatur war teuer.',
      'Die Rechnung war teuer.',
    ],
  ])('%s', (_what, query, better, worse) => {
    const chunks = [chunk(0, worse), chunk(1, better), ...FILLER];
    expect(order(query, chunks)[0]).toBe(1);
  });

  it('the day asked about, and the days after it on which people tell', () => {
    const days = ['2025-04-11', '2025-05-14', '2025-06-04', '2025-08-01'];
    const chunks = days.map((date, id) => chunk(id, 'We went out and came home.', { date }));
    expect(order('What happened last May?', chunks).slice(0, 2)).toEqual([1, 2]);
  });

  it('the person asked about: in the chunk, and in its best line', () => {
    const talk = (id: number, first: string, second: string) =>
      chunk(
        id,
        [1, 2, 3].map((n) => `- ${first}: I like cooking ${n}.\n- ${second}: Good for you ${n}.`).join('\n'),
      );
    const chunks = [talk(0, 'Sam', 'Ida'), talk(1, 'Ida', 'Mara'), talk(2, 'Mara', 'Ida'), ...FILLER];
    expect(order('Does Mara like cooking?', chunks).slice(0, 3)).toEqual([2, 1, 0]);
  });

  it('a number where a number is asked for', () => {
    const chunks = [chunk(0, 'The lamps were cheap.'), chunk(1, 'The lamps were 40 euros.'), ...FILLER];
    expect(order('How much were the lamps?', chunks)[0]).toBe(1);
  });

  it('the heading', () => {
    const chunks = [
      chunk(0, 'It was long.'),
      chunk(1, 'It was long.', { heading: 'Journey to Oslo' }),
      ...FILLER,
    ];
    expect(order('How was Oslo?', chunks)[0]).toBe(1);
  });

  it('vectors that are near, where no word is', () => {
    const chunks = [
      chunk(0, 'It was long.', { similarity: 0.1 }),
      chunk(1, 'It was so.', { similarity: 0.8 }),
    ];
    expect(order('Which zebra?', chunks)[0]).toBe(1);
  });
});

it('does not give two of the first places to the same line [M2]', () => {
  const line = 'The kiln was delivered on Monday.';
  const chunks = [
    chunk(0, `${line}\nNobody was at home.`, { path: 'a.md', ordinal: 0 }),
    chunk(1, `${line}\nIt rained the day long.`, { path: 'a.md', ordinal: 1 }),
    chunk(2, 'The kiln burned out.\nNobody was at home then, and it rained and rained.', { path: 'b.md' }),
    ...FILLER,
  ];
  expect(order('What about the kiln on Monday?', chunks).slice(0, 2)).toEqual([0, 2]);
});

describe('whatever comes', () => {
  const anything = fc.record({
    query: fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 60 }),
    texts: fc.array(fc.string({ unit: fc.constantFrom(...'abc xyz\n-:é東🎉'), maxLength: 80 }), {
      maxLength: 40,
    }),
  });

  it('returns each chunk once, best first, and the same with what was prepared before [M2]', () => {
    const kept = new Ranker();
    fc.assert(
      fc.property(anything, ({ query, texts }) => {
        const chunks = texts.map((text, id) => chunk(id, text, { date: '2026-05-01' }));
        const ranked = rank(query, NOW, chunks, statsOf(chunks));
        expect(ranked.map(({ id }) => id).sort((a, b) => a - b)).toEqual(chunks.map(({ id }) => id));
        for (const [at, { score }] of ranked.entries()) {
          expect(Number.isFinite(score)).toBe(true);
          expect(score).toBeLessThanOrEqual(ranked[at - 1]?.score ?? Number.POSITIVE_INFINITY);
        }
        for (const _time of [1, 2]) expect(kept.rank(query, NOW, chunks, statsOf(chunks))).toEqual(ranked);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['only words that say nothing', 'what did you do when it was'],
    ['a megabyte', 'kiln '.repeat(200_000)],
    ['pictures', '🎉🎉🎉'],
    ['right to left', '\u202eמה קרה בקיץ'],
    ['a word of a megabyte', 'a'.repeat(1_000_000)],
    ['what looks like a pattern', '(((((.*)+)+)+)+$ [a-'],
  ])('answers a question of %s', (_what, query) => {
    expect(order(query, [chunk(0, 'The kiln.'), chunk(1, 'l'.repeat(100_000)), ...FILLER])).toHaveLength(8);
  });
});
