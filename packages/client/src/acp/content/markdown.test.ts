import fc from 'fast-check';
import { marked } from 'marked';
import { expect, it } from 'vitest';
import { codeBlock, inlineCode } from './markdown.ts';

/** Text with every character that has a meaning in Markdown. */
const hostile = fc
  .array(
    fc.constantFrom(
      '`',
      '```',
      '~~~',
      '\n',
      '![x](http://evil/)',
      '<img src=x>',
      '[a]: http://evil',
      '#',
      ' ',
      'word',
      '\t',
      '\u202e',
      '\x1b[2J',
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

it('draws foreign text as it is, whatever Markdown it holds [I4] [FT48]', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const html = marked.parse(`before\n\n${codeBlock(text)}\n\nafter`, { async: false });
      expect(html.match(/<(?!\/?(?:p|pre|code)\b)[a-z][^>]*>/g)).toBeNull();
      expect(html.match(/<pre>/g)).toHaveLength(1);
      const line = marked.parseInline(`title ${inlineCode(text)} end`, { async: false });
      expect(line.match(/<(?!\/?code\b)[a-z][^>]*>/g)).toBeNull();
    }),
    { numRuns: 500 },
  );
});

it('keeps a title on one line, short, with its hidden characters seen', () => {
  expect(inlineCode(' a\n\tb ')).toBe('`a b`');
  expect(inlineCode('rm \u202e-rf\x1b[2J')).toBe('`rm \\u{202e}-rf[2J`');
  expect(inlineCode('`x`')).toBe('`` `x` ``');
  expect([...inlineCode('x'.repeat(500))]).toHaveLength(122);
  expect(inlineCode('  ')).toBe('');
});
