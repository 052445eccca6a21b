import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block, Inline } from './nodes.ts';
import { readMarkdown } from './read-markdown.ts';

const ORIGIN = 'http://127.0.0.1:7411';
const read = (text: string): readonly Block[] => readMarkdown(text, ORIGIN);

function links(nodes: readonly (Block | Inline)[]): readonly string[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'link') return [node.href, ...links(node.children)];
    if (node.kind === 'image') return node.link === undefined ? [] : [node.link.href];
    if (node.kind === 'list') return node.items.flatMap((item) => links(item.children));
    if (node.kind === 'table') return [...node.header, ...node.rows.flat()].flatMap((cell) => links(cell));
    return 'children' in node ? links(node.children) : [];
  });
}

describe('readMarkdown', () => {
  it('reads what people write: emphasis, lists with tasks, tables, code', () => {
    expect(read('a **b** `c &amp; d`')).toEqual([
      {
        kind: 'paragraph',
        children: [
          { kind: 'text', text: 'a ' },
          { kind: 'strong', children: [{ kind: 'text', text: 'b' }] },
          { kind: 'text', text: ' ' },
          { kind: 'code', text: 'c & d' },
        ],
      },
    ]);
    expect(read('3. x\n4. y')).toMatchObject([{ kind: 'list', start: 3, items: [{}, {}] }]);
    expect(read('- [x] done\n- [ ] not')).toMatchObject([
      { kind: 'list', items: [{ isDone: true }, { isDone: false }] },
    ]);
    expect(read('| a |\n| - |\n| b |')).toMatchObject([{ kind: 'table', header: [[{}]], rows: [[[{}]]] }]);
    expect(read('```ts\n1 < 2\n```')).toEqual([{ kind: 'code', text: '1 < 2', language: 'ts' }]);
  });

  it('shows where a link leads unless its text is just that [I5]', () => {
    const link = (text: string) => JSON.stringify(read(text));
    expect(link('[bank.example](https://evil.example/bank.example)')).toContain('"target":"evil.example"');
    expect(link('[x](https://bank.example@evil.example/)')).toContain('"target":"evil.example"');
    expect(link('https://example.org/a')).not.toContain('"target"');
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '/api/v1/status',
    '#login=x',
    `${ORIGIN}/chat/1`,
    '//evil.example/x',
    'blob:https://example.org/1',
    `https://example.org/${'x'.repeat(2_048)}`,
  ])('makes no link of %s [I5]', (address) => {
    expect(links(read(`[x](${address}) ![y](${address}) <${address}>`))).toEqual([]);
  });

  it('keeps HTML as the text it is, and images as what they say of themselves [I5]', () => {
    expect(read('<b onclick="x">hi</b>')).toMatchObject([
      { kind: 'paragraph', children: [{ text: '<b onclick="x">' }, {}, {}] },
    ]);
    expect(read('<div>\nx\n</div>')).toEqual([{ kind: 'written', text: '<div>\nx\n</div>' }]);
    expect(read('![a cat](https://cats.example/1.png)')).toMatchObject([
      { children: [{ kind: 'image', about: 'a cat', link: { target: 'cats.example' } }] },
    ]);
  });

  it('gives some nodes for any text, however deep or long, and no link but to a whole web or mail address [I5]', () => {
    expect(read('>'.repeat(5_000)).length).toBeGreaterThan(0);
    expect(read(`${'['.repeat(2_000)}x${']'.repeat(2_000)}`).length).toBeGreaterThan(0);
    const pieces = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '!',
      '`',
      '*',
      '&#x6a;',
      'javascript:',
      'https://a.b',
      ' ',
      '\n',
      '"',
      '|',
      '-',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        for (const href of links(read(parts.join('')))) expect(href).toMatch(/^(https?:\/\/|mailto:)/);
      }),
      { numRuns: 300 },
    );
  });
});
