import { expect, it } from 'vitest';
import { loadTokeniser } from './load-tokeniser.ts';

/** Returns a number for each word, by its place in a vocabulary, between marks. */
class Tokenizer {
  readonly #words: readonly string[];

  constructor(file: { readonly words?: readonly string[] }) {
    if (file.words === undefined) throw new TypeError('no vocabulary');
    this.#words = file.words;
  }

  encode(text: string): { readonly ids: readonly number[] } {
    return { ids: [1, ...text.split(' ').map((word) => this.#words.indexOf(word) + 3), 2] };
  }
}

it('gives the ids of a text’s tokens, cut to what a model takes', () => {
  const tokenise = loadTokeniser({ Tokenizer }, { words: ['a', 'b'] }, {});
  expect(tokenise('b a')).toEqual([1, 4, 3, 2]);
  expect(tokenise('a '.repeat(2_000)).length).toBe(512);
});

it('refuses what is no tokeniser, and an answer that is none', () => {
  expect(() => loadTokeniser({}, { words: [] }, {})).toThrow(/can’t be made/u);
  expect(() => loadTokeniser({ Tokenizer }, {}, {})).toThrow(/can’t be made/u);
  const odd = class {
    encode() {
      return { ids: ['x'] };
    }
  };
  expect(() => loadTokeniser({ Tokenizer: odd }, {}, {})('a')).toThrow();
});
