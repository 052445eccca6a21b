import { type Candidate, type Ranked, terms } from '@bulkhead/memory';

const K1 = 1.2;
const B = 0.75;

/** The control: BM25 over words, and nothing else. With `stemmed` its words are those of the index. */
export function plainBm25(
  chunks: readonly Candidate[],
  stemmed: boolean,
): (query: string) => readonly Ranked[] {
  const wordsOf = stemmed ? terms : (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const documents = chunks.map(({ text }) => countsOf(wordsOf(text)));
  const average = documents.reduce((sum, one) => sum + one.length, 0) / documents.length;
  const frequencies = new Map<string, number>();
  for (const { counts } of documents)
    for (const word of counts.keys()) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  const rarity = (word: string) => {
    const frequency = frequencies.get(word) ?? 0;
    return Math.log(1 + (documents.length - frequency + 0.5) / (frequency + 0.5));
  };
  return (query) => {
    const asked = [...new Set(wordsOf(query))];
    const scoreOf = (at: number) => {
      const { counts, length } = documents[at] ?? { counts: new Map<string, number>(), length: 0 };
      return asked.reduce((sum, word) => {
        const count = counts.get(word) ?? 0;
        return sum + (rarity(word) * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average));
      }, 0);
    };
    return chunks
      .map(({ id }, at) => ({ id, score: scoreOf(at) }))
      .sort((a, b) => b.score - a.score || a.id - b.id);
  };
}

function countsOf(words: readonly string[]): { counts: ReadonlyMap<string, number>; length: number } {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, length: words.length };
}
