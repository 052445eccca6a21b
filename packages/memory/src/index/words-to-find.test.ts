import { expect, it } from 'vitest';
import type { CorpusStats } from '../rank/candidate.ts';
import { wordsToFind } from './search-index.ts';

const known = ['refriger', 'refresh', 'kiln', 'what'];
const stats: CorpusStats = {
  chunks: 5_000,
  averageTerms: 200,
  documentFrequency: (term) => (known.includes(term) ? 3 : 0),
  alike: () => known,
};

it.each([
  ['leaves out what says nothing', 'What about the kiln?', ['kiln']],
  ['keeps it where there is nothing else', 'What?', ['what']],
  ['has what is written alike stand for a word that stands nowhere', 'a refridgerator', ['refriger']],
  ['drops a word that is like none', 'the zebra at the kiln', ['kiln']],
])('%s [M2]', (_what, query, expected) => {
  expect(wordsToFind(query, stats)).toEqual(expected);
});
