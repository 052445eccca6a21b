import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifiersIn, normalUrl } from './identifiers.ts';
import { parseResult } from './parse-result.ts';
import { daysIn, isNamed, numbersIn, readRequest } from './request.ts';
import { sameStem } from './words.ts';

describe('results', () => {
  it('are read as JSON says, for any value', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
        const text = JSON.stringify(value);
        // JSON has no text for a negative zero.
        expect(JSON.stringify(parseResult(text))).toBe(text);
      }),
    );
  });

  it('are read as Python prints them', () => {
    expect(parseResult(`{'a': 'it\\'s', 'b': [True, None, 1.5], "c": "x'y", 'd': ('p', 'q',)}`)).toEqual({
      a: "it's",
      b: [true, null, 1.5],
      c: "x'y",
      d: ['p', 'q'],
    });
  });

  it('are a text where they are neither, and never throw', () => {
    expect(parseResult('Rating: 4.2\nReviews: nice')).toBe('Rating: 4.2\nReviews: nice');
    expect(parseResult('Rooms: Garden\nTower\n')).toEqual({ Rooms: ['Garden', 'Tower'] });
    expect(parseResult('{"a": 1} and more')).toBe('{"a": 1} and more');
    expect(typeof parseResult('['.repeat(100_000))).toBe('string');
    fc.assert(fc.property(fc.string(), (text) => parseResult(text) !== undefined));
  });
});

describe('identifiers', () => {
  const typesIn = (text: string): readonly string[] =>
    identifiersIn(text).map(({ type, normal }) => `${type} ${normal}`);

  it('are recognized by their shape', () => {
    expect(typesIn('Write to <Anna.B@Home.example>, see (https://www.news.example/A?b=c#d).')).toEqual([
      'email anna.b@home.example',
      'url news.example/A?b=c#d',
    ]);
    expect(typesIn('Pay GB29NWBK60161331926819 or DE11 5205 1373 5120 7101 31')).toEqual([
      'account gb29nwbk60161331926819',
      'account de11520513735120710131',
    ]);
    expect(typesIn('see report.docx and main.ts on 2024-05-15')).toEqual([]);
    expect(typesIn('at 10.0.0.7:8080/x')).toEqual(['url 10.0.0.7:8080/x']);
  });

  it('of a URL is where it leads, not what it shows', () => {
    expect(normalUrl('https://news.example@bad.example/x')).toBe('bad.example/x');
    expect(normalUrl('HTTPS://WWW.News.example/')).toBe('news.example');
  });

  it('are found in linear time', () => {
    for (const text of [
      'a@'.repeat(200_000),
      'a.'.repeat(200_000),
      '1 '.repeat(200_000),
      'A11'.repeat(200_000),
      '+1 (2'.repeat(100_000),
    ]) {
      const start = process.cpuUsage();
      identifiersIn(text);
      expect(process.cpuUsage(start).user / 1_000, text.slice(0, 6)).toBeLessThan(2_000);
    }
  });
});

describe('a request', () => {
  it('gives numbers and days as people write them', () => {
    expect(numbersIn('pay 1,200.50 or 98.70 on 2024-05-15 for room A7')).toEqual([1200.5, 98.7]);
    expect(daysIn('on May 15th, 2024, or 3 June, or 2024-07-01')).toEqual([
      '2024-07-01',
      '2024-05-15',
      '06-03',
    ]);
  });

  it('names a thing with the whole of a name only', () => {
    const request = readRequest([
      'Tell the channel team-food and Bob\'s list about "Summer party", event 24.',
    ]);
    for (const value of ['team-food', 'Bob', 'Summer party', '24'])
      expect(isNamed(request, value), value).toBe(true);
    for (const value of ['team', 'food', 'party', 'Summer', 'the', '4'])
      expect(isNamed(request, value), value).toBe(false);
  });

  it('knows forms of one word', () => {
    expect(sameStem('dental', 'dentist')).toBe(true);
    expect(sameStem('room', 'roof')).toBe(false);
    expect(sameStem('2024', '2025')).toBe(false);
  });
});
