import { processorMs } from '@bulkhead/testkit/processor-time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainMarkdown } from './plain-markdown.ts';

describe('plainMarkdown', () => {
  it('leaves what is said and takes what only draws [C2]', () => {
    const text = [
      '<!-- a note',
      'over lines -->',
      '# Who you are #',
      '',
      '',
      '',
      '**Calm**, _short_ and `exact`; see [the guide](https://example.org/a). ![a gull](x.png)',
      '***',
      '* one',
      '  * two_words and 2*3*4',
      '> said',
      '| Name | Age |',
      '| :--- | --: |',
      '|  Mia | 3   |',
      '```sh',
      'echo "*"',
      '```',
      'open <!-- end',
    ].join('\r\n');
    expect(plainMarkdown(text)).toBe(
      [
        'Who you are',
        '',
        'Calm, short and exact; see the guide (https://example.org/a). a gull',
        '- one',
        '  - two_words and 2*3*4',
        'said',
        'Name | Age',
        'Mia | 3',
        'echo "*"',
        'open <!-- end',
      ].join('\n'),
    );
  });

  it('never makes a text longer', () => {
    const signs = fc.constantFrom(
      ...'#*_`~[]()!<>-|: \n\tab'.split(''),
      '<!--',
      '-->',
      '**',
      '```',
      '\r\n',
      '](',
    );
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 200 }), (pieces) => {
        const text = pieces.join('');
        expect(plainMarkdown(text).length).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['['],
    ['[a]('],
    ['*a'],
    ['_a '],
    ['`'],
    ['<!--'],
    ['|'],
    ['# '],
    ['> '],
    ['![a]'],
    ['~~'],
    [' \t'],
    ['**a*'],
  ])('takes no longer than the text is long: %j', (piece) => {
    const took = (times: number) => {
      const text = piece.repeat(times);
      return processorMs(() => void plainMarkdown(text));
    };
    // Ten times the text: quadratic time would be a hundred times as long.
    expect(took(60_000)).toBeLessThan(50 * Math.max(took(6_000), 2));
  });
});
