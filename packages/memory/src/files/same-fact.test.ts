import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hidesCharacters, lineKey } from './line-text.ts';
import { findSameFact, isSameFact } from './same-fact.ts';

describe('isSameFact', () => {
  it.each([
    ['The cat is called Miso', '- 2026-11-02: the cat is called  MISO'],
    ['The favourite colour of the user is green', 'favourite colour of user: green'],
    ['User works on the Harbour project', 'The user works on Harbour projects.'],
    ['the meeting room is on floor 3', 'Meeting room on floor 3, next to the lift'],
  ])('finds %j in %j [M4]', (said, known) => expect(isSameFact(said, known)).toBe(true));

  it.each([
    ['Anna manages Bob', 'Bob manages Anna'],
    ['The rotation is every Monday morning in winter', 'The rotation is every Tuesday morning in winter'],
    ['The user likes fish', 'The user does not like fish'],
    ['The user eats fish daily', 'The user eats fish daily no longer'],
    ['The rent is 1.200 euros', 'The rent is 12.00 euros'],
    ['Call on 3 May', 'Call on 4 May'],
    ['Miso', 'Miso is a cat'],
    ['The door code is 4711 since May', 'The door code is 4711'],
  ])('keeps %j beside %j: it says more, or something else [M4]', (said, known) =>
    expect(isSameFact(said, known)).toBe(false),
  );

  it('never takes a sentence with a new word for a known one', () => {
    const word = fc.stringMatching(/^[b-df-hj-np-rtv-z]{4,9}$/u);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), word, fc.nat(8), (words, fresh, at) => {
        fc.pre(!words.includes(fresh));
        const said = words.toSpliced(at, 0, fresh).join(' ');
        expect(isSameFact(said, words.join(' '))).toBe(false);
      }),
    );
  });

  it('finds the line among many, in linear time', () => {
    const lines = Array.from({ length: 50_000 }, (_, at) => `- fact number ${at} about the harbour`);
    expect(findSameFact('Fact number 49999 about the harbour', lines)).toBe(lines.at(-1));
    expect(findSameFact('fact number 50000 about the harbour', lines)).toBeUndefined();
  });
});

describe('lineKey', () => {
  it('is of what a line says, not of how it stands there [M4]', () => {
    const key = lineKey('- 2026-11-02: The cat is called Miso');
    expect(lineKey('* the cat is called   Miso \r')).toBe(key);
    expect(lineKey('the cat is called M\u200biso')).toBe(key);
    expect(lineKey('the cat is called Tofu')).not.toBe(key);
    expect(lineKey(' - ')).toBeUndefined();
  });

  it('sees what no reader does [FT58]', () => {
    const tag = String.fromCodePoint(0xe0041);
    for (const text of [`a${tag}b`, 'a\u202eb', 'a\u200bb', 'a\u0007b'])
      expect(hidesCharacters(text)).toBe(true);
    for (const text of ['a\tb\r\n', '\ufeffplain', 'Grüße, 東京, 👍'])
      expect(hidesCharacters(text)).toBe(false);
  });
});
