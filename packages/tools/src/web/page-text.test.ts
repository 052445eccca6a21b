import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlTokens } from './html-tokens.ts';
import { pageText } from './page-text.ts';

const read = (html: string, base = 'https://a.org/x/') => pageText(html, base, 100_000);

describe('the text of a page', () => {
  it.each([
    ['<p>one<p>two', 'one\n\ntwo'],
    ['a <b>b</b>c\n  d', 'a bc d'],
    ['a<br>b<br/>c', 'a\nb\nc'],
    ['<h2>Head</h2>text', '## Head\n\ntext'],
    ['<ul><li>one<li>two<ul><li>deep</ul></ul>after', '- one\n- two\n  - deep\n\nafter'],
    ['<pre>a\n  b</pre>c', '```\na\n  b\n```\n\nc'],
    ['<table><tr><th>a<th>b<tr><td>1<td>2</table>', '| a | b\n| 1 | 2'],
    ['<img alt="a cat">', '[image: a cat]'],
    [
      '1 &lt; 2 &amp;&amp; 3 &gt; 2 &copy; &#8364; &#x20AC; &#150; &nope; &#0;',
      '1 < 2 && 3 > 2 © € € – &nope; \ufffd',
    ],
    ['<script>if (a < b) alert("</p>")</script>text<style>p{}</style>', 'text'],
    ['<!-- hidden --><p>shown<!-- more', 'shown'],
    ['<nav>menu</nav><footer>foot</footer>body', 'body'],
    ['a < b and c > d', 'a < b and c > d'],
    ['<p title="a > b">x', 'x'],
    ['', ''],
  ])('%j reads %j [B4]', (html, text) => {
    expect(read(html).text).toBe(text);
  });

  it('has nothing that a person would not see: hidden elements, invisible characters', () => {
    const html = `<p hidden>one<p>seen<div style="color:red;DISPLAY : none">two<div>three</div></div><span style="visibility:hidden">four</span><template>five</template><noscript>six</noscript>zero\u200bwidth\u202e\u{e0041}`;
    expect(read(html).text).toBe('seen\n\nzerowidth');
  });

  it('is what stands in main or article, where that is something', () => {
    const article = 'word '.repeat(60).trim();
    expect(read(`<div>around</div><main>${article}</main><div>more</div>`).text).toBe(article);
    expect(read('<div>around</div><main>stub</main>').text).toBe('around\n\nstub');
  });

  it('comes with title and links, each place once, web addresses only', () => {
    const html = `<title>A &amp; B</title><a href="y?q#z">one</a><a href="/y">two</a><a href="y?q">again</a>
      <a href="javascript:alert(1)">no</a><a href="#top">no</a><a href="mailto:a@b.org">no</a><a href="//c.org">three</a><a href="http://[">no</a>`;
    const page = read(html);
    expect(page.title).toBe('A & B');
    expect(page.links).toEqual([
      { text: 'one', url: 'https://a.org/x/y?q' },
      { text: 'two', url: 'https://a.org/y' },
      { text: 'three', url: 'https://c.org/' },
    ]);
  });

  it('ends where it is full', () => {
    const page = pageText(`<p>${'x'.repeat(500)}<p>y`, 'https://a.org/', 100);
    expect([page.text.length, page.truncated]).toEqual([100, true]);
  });
});

describe('the tokens of HTML', () => {
  it('lose no visible text and never throw, whatever comes', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '</',
        '<!--',
        '-->',
        '<p',
        ' a="',
        "'",
        '"',
        '=',
        '/>',
        '<script>',
        '</script',
        '<title>',
        '&amp',
        '&#x',
        'x',
        ' ',
        '\0',
        '<![CDATA[',
        '<?',
        '<a href=',
      ),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const html = pieces.join('');
        for (const token of htmlTokens(html)) expect(token.kind).toMatch(/^(text|open|close)$/);
        expect(read(html).text.length).toBeLessThanOrEqual(html.length * 4 + 20);
      }),
    );
    const plain = fc.string().filter((text) => !/[<&]/.test(text));
    fc.assert(
      fc.property(plain, (text) =>
        [...htmlTokens(text)].every((token) => token.kind === 'text' && token.text === text),
      ),
    );
  });

  it('take time in proportion to the length, also where nothing is closed [FR12]', () => {
    const evil = [
      '<',
      '<a ',
      '<a b="',
      "<a b='",
      '</',
      '<!--',
      '<!',
      '<title>',
      '<script>',
      '<p hidden>',
      '<div><a href=x>',
      '&',
      '&#',
      '<a b = ',
      '<a/b',
      '<ul>',
      '<pre>',
      '<table><td>',
    ];
    const steps = (html: string): number => {
      const start = process.cpuUsage();
      read(html);
      return process.cpuUsage(start).user / 1_000;
    };
    for (const piece of evil) {
      const small = piece.repeat(Math.ceil(20_000 / piece.length));
      const [one, ten] = [Math.min(steps(small), steps(small), steps(small)), steps(small.repeat(10))];
      // Ten times the text: a square would take a hundred times as long.
      expect([piece, ten < one * 50 + 200]).toEqual([piece, true]);
    }
  });

  it('decode references to what they stand for, as the HTML Standard has it', () => {
    const decoded = (html: string) => [...htmlTokens(html)];
    expect(decoded('&eacute;&Omega;&hellip;&nbsp;&yuml;&#xD800;&#99999999;&check;&ngE;')).toEqual([
      { kind: 'text', text: 'éΩ…\u00a0ÿ\ufffd\ufffd✓≧̸' },
    ]);
    // Old names need no semicolon in text; before a letter in an attribute they do, so
    // `?a=1&copy=2` is kept.
    expect(decoded('&ampx &notit; &constructor; &hellip')).toEqual([
      { kind: 'text', text: '&x ¬it; &constructor; &hellip' },
    ]);
    expect(decoded('<a href="?a=1&copy=2&amp;b&euro;">')).toEqual([
      { kind: 'open', name: 'a', attributes: new Map([['href', '?a=1&copy=2&b€']]) },
    ]);
  });

  it('are the same wherever a text is cut to be read in slices', () => {
    const html = '<p title="é">a\r\n&amp;\u{1f389}<title>x</title><script>1 < 2</script>';
    const expected = [...htmlTokens(html)].slice(1);
    for (let before = 65_536 - html.length; before <= 65_536; before += 1)
      expect([...htmlTokens(`<i ${'x'.repeat(before)}>${html}`)].slice(2)).toEqual(expected);
  });
});
