import { createHash } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { PRODUCT_VERSION } from '@bulkhead/protocol';
import { MessageSchema } from '@bulkhead/protocol/chat';
import { describe, expect, it } from 'vitest';
import { createMemorySessionStore } from '../memory-session-store.ts';
import { messageBody } from '../message-body.ts';
import type { NewRecord, SessionStore } from '../session-store.ts';
import { codeOf, entry, mark, modelCall, toolMessage, userMessage } from '../testing.ts';
import { exportHtml, PAGE_STYLE } from './export-html.ts';

const ATTACK = `</pre></details><script>alert(1)</script><img src=x onerror="alert(2)">'"&amp;\u202e\u0000`;

const ATTACK_ARGUMENTS = JSON.stringify({
  command: ATTACK,
  content: ATTACK,
  [ATTACK]: [ATTACK],
  ['__proto__']: ATTACK,
});

function resultWith(id: string, parent: string, more: { isError?: boolean; display?: string }): NewRecord {
  const { isError = false, ...display } = more;
  const message = create(MessageSchema, {
    role: { case: 'tool', value: { callId: 'c1', name: 'edit', text: 'what it said', isError } },
  });
  const body = { call: 'c1', tool: 'edit', isError, ...display, ...messageBody(message) };
  return { ...entry(id, parent), type: 'tool_output', body };
}

function page(): string {
  const store = createMemorySessionStore();
  store.createSession({ id: 's', workingFolder: `/w/${ATTACK}`, time: 5 });
  const part = (value: Parameters<typeof create<typeof MessageSchema>>[1]) => create(MessageSchema, value);
  const user = part({
    role: {
      case: 'user',
      value: {
        text: ATTACK,
        attachments: [{ name: ATTACK, text: ATTACK }],
        images: [
          { mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) },
          { mediaType: `image/svg+xml"${ATTACK}`, data: new Uint8Array([1]) },
        ],
      },
    },
  });
  const assistant = part({
    role: {
      case: 'assistant',
      value: {
        parts: [
          { part: { case: 'thinking', value: { text: `thought ${ATTACK}` } } },
          { part: { case: 'text', value: { text: `answer ${ATTACK}` } } },
          { part: { case: 'toolCall', value: { callId: 'c', name: ATTACK, argumentsJson: ATTACK } } },
          { part: { case: 'toolCall', value: { callId: 'd', name: 'x', argumentsJson: ATTACK_ARGUMENTS } } },
        ],
      },
    },
  });
  store.append(
    's',
    [
      entry('a', null, user),
      entry('b', 'a', assistant),
      entry('c', 'b', toolMessage(ATTACK)),
      resultWith('d', 'c', { isError: true, display: `@@ 1 @@\n+${ATTACK}\n-${ATTACK}\n ${ATTACK}` }),
      modelCall(5, { model: ATTACK }),
      mark('label', 'l', 'd', { label: ATTACK }),
      mark('compaction', 'k', 'l', { summary: ATTACK, keptFrom: 'a' }),
      mark('model_change', 'm', 'k', { model: ATTACK }),
      mark('custom', 'x', 'm', { name: ATTACK }),
      entry('side', 'a', userMessage('on a side branch')),
    ],
    { leaf: 'x', title: ATTACK },
  );
  return [...exportHtml(store, 's', 0)].join('');
}

describe('a session as a page', () => {
  it('has no element but its own, whatever was said [S2]', () => {
    const tags = new Set([...page().matchAll(/<\/?([a-z0-9]+)/g)].map((match) => match[1]));
    const own =
      'html head meta title style body header h1 dl dt dd p time main article h2 a div details summary pre ins del img';
    expect([...tags].sort()).toEqual(own.split(' ').sort());
    const attributes = new Set(
      [...page().matchAll(/<[a-z0-9]+((?: [a-z-]+="[^"]*")*)>/g)].flatMap((match) =>
        [...(match[1] ?? '').matchAll(/ ([a-z-]+)=/g)].map((each) => each[1]),
      ),
    );
    expect([...attributes].sort()).toEqual(
      'alt charset class content datetime dir href http-equiv id lang name open src'.split(' ').sort(),
    );
    expect(page()).not.toMatch(/<script|<img src=x|\u202e|\p{Cc}(?<!\n)/u);
  });

  it('loads nothing and runs nothing', () => {
    const html = page();
    const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(html).toContain(`default-src 'none'; img-src data:; style-src 'sha256-${hash}'`);
    expect(html.indexOf('Content-Security-Policy')).toBeLessThan(html.indexOf('<title>'));
    expect([...html.matchAll(/href="([^#][^"]*)"/g)]).toEqual([]);
    expect([...html.matchAll(/src="([^"]*)"/g)].map((match) => match[1])).toEqual([
      'data:image/png;base64,AQID',
    ]);
    expect(html).not.toMatch(/https?:|url\(|@import/);
    expect(style).toContain('prefers-color-scheme:dark');
  });

  it('shows the branch the session stands at, thoughts, calls and results folded', () => {
    const html = page();
    expect(html.match(/<details>/g)).toHaveLength(5);
    expect(html).toContain('<summary>Thinking</summary><pre dir="auto">thought &lt;/pre&gt;');
    expect(html).toContain('<div class="text" dir="auto">answer &lt;');
    expect(html).not.toContain('on a side branch');
    expect(html).toContain('Summary of what was said before');
  });

  it('is not made of a session that is not there', () => {
    expect(codeOf(() => [...exportHtml(createMemorySessionStore(), 's', 0)])).toBe('not_found');
  });

  it('says which session it is, of when, by what and for how much', () => {
    const store = storeWith([
      entry('a', null),
      modelCall(1000, { model: 'v/one', inputTokens: 1_000, outputTokens: 30, cost: 0.25 }),
      modelCall(1001, { model: 'v/two', inputTokens: 234, outputTokens: 4, cost: null, ok: false }),
    ]);
    expect(rows(store, 90_000)).toEqual({
      Session: 's',
      Folder: '/w',
      Created: '1970-01-01 00:00 UTC',
      'Last changed': '1970-01-01 00:00 UTC',
      Exported: `1970-01-01 00:01 UTC by Bulkhead ${PRODUCT_VERSION}`,
      Models: 'v/one, v/two',
      Totals: '2 model calls (1 failed), 1,234 tokens in, 34 tokens out, $0.2500, 1 call of unknown price',
    });
  });

  it('leaves out what is not known, and names where a fork comes from', () => {
    const store = storeWith([entry('a', null)]);
    store.createSession({ id: 'f', workingFolder: '/w', time: 5, origin: { session: 's', entry: 'a' } });
    expect(rows(store, 0)).not.toHaveProperty('Totals');
    expect(rows(store, 0)).not.toHaveProperty('Models');
    expect(rows(store, 0, 'f')).toMatchObject({ Session: 'f', 'Forked from': 's' });
  });

  it('shows a command as a command, and what is written with its line breaks', () => {
    const html = htmlOf([
      callOf('a', null, 'bash', { timeout_seconds: 5, command: 'npm test\nnpm run x' }),
      callOf('b', 'a', 'write', { path: 'src/a.ts', content: '\none\n"two"\n' }),
      callOf('c', 'b', 'edit', { path: 'b.ts', old_text: 'x', new_text: 'y' }),
      callOf('d', 'c', 'plan', { steps: ['a', { b: 1 }] }),
    ]);
    expect(html).toContain('<summary>Call of bash · $ npm test</summary>');
    expect(html).toContain(
      '<pre dir="auto">$ npm test\nnpm run x</pre><pre dir="auto">timeout_seconds: 5</pre>',
    );
    expect(html).toContain('<summary>Call of write · path: src/a.ts</summary>');
    // The first line break of a <pre> is dropped: there are two.
    expect(html).toContain(
      '<div class="label">content</div><pre dir="auto">\n\none\n&quot;two&quot;\n</pre>',
    );
    expect(html).toContain(
      '<div class="label">old_text</div><pre dir="auto">x</pre><div class="label">new_text</div><pre dir="auto">y</pre>',
    );
    expect(html).toContain('steps: [\n  &quot;a&quot;,\n  {\n    &quot;b&quot;: 1\n  }\n]</pre>');
  });

  it('shows the diff of a result with marked lines, and without the heads of files', () => {
    const display = '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n';
    const html = htmlOf([entry('a', null), resultWith('b', 'a', { display })]);
    expect(html).toContain(
      '<details><summary>Result of edit</summary><pre dir="auto">what it said</pre>' +
        '<pre dir="auto">--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n<del>-old</del>\n<ins>+new</ins></pre></details>',
    );
    const other = htmlOf([entry('a', null), resultWith('b', 'a', { display: '- [x: binary, no diff]' })]);
    expect(other).toContain('<pre dir="auto">- [x: binary, no diff]</pre>');
  });

  it('marks errors and opens them', () => {
    const html = htmlOf([entry('a', null), resultWith('b', 'a', { isError: true })]);
    expect(html).toContain('<details class="error" open=""><summary>Error of edit</summary>');
  });

  it('says how much lies on other branches', () => {
    const one = [entry('a', null), entry('x', 'a'), entry('b', 'a')];
    expect(htmlOf(one, 'b')).toContain('<p class="note">1 message on another branch is not shown.</p>');
    expect(htmlOf([...one, entry('y', 'x')], 'b')).toContain('2 messages on other branches are not shown.');
    expect(htmlOf([entry('a', null), entry('b', 'a')])).not.toContain('not shown');
  });

  it('gives every entry a place to link to', () => {
    const id = `e "'<& ü`;
    const html = htmlOf([entry('a', null), entry(id, 'a')]);
    const ids = [...html.matchAll(/<article class="user" id="([^"]*)"/g)].map((match) => match[1]);
    expect(ids).toEqual(['entry-a', 'entry-e%20%22%27%3C%26%20%C3%BC']);
    expect([...html.matchAll(/<a href="#([^"]*)"/g)].map((match) => match[1])).toEqual(ids);
  });

  it.each([
    ['light', 0],
    ['dark', 1],
  ])('can be read in the %s scheme: at least 4.5:1', (_scheme, place) => {
    const colours = [...PAGE_STYLE.matchAll(/:root\{([^}]*)\}/g)].map(
      ([, text = '']) =>
        new Map([...text.matchAll(/--(\w+):(#[0-9a-f]{6})/g)].map(([, a = '', b = '']) => [a, b])),
    )[place];
    const ratios = ['text', 'dim', 'error', 'added', 'removed'].flatMap((ink) =>
      ['back', 'soft'].map((ground) => contrast(colours?.get(ink), colours?.get(ground))),
    );
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(4.5);
    const used = [...PAGE_STYLE.matchAll(/(?:[{;])(?:color|background):([^;}]*)/g)].map((match) => match[1]);
    expect(used.length).toBeGreaterThan(5);
    for (const colour of used) expect(colour).toMatch(/^var\(--(text|dim|error|added|removed|back|soft)\)$/);
  });
});

function storeWith(records: readonly NewRecord[], leaf = lastEntry(records)): SessionStore {
  const store = createMemorySessionStore();
  store.createSession({ id: 's', workingFolder: '/w', time: 5 });
  store.append('s', records, { leaf });
  return store;
}

function lastEntry(records: readonly NewRecord[]): string {
  return records.findLast((record) => record.entry !== undefined)?.entry?.id ?? '';
}

function htmlOf(records: readonly NewRecord[], leaf?: string): string {
  return [...exportHtml(storeWith(records, leaf), 's', 0)].join('');
}

function rows(store: SessionStore, exportedAt: number, session = 's'): Record<string, string> {
  const html = [...exportHtml(store, session, exportedAt)].join('');
  const plain = (text = '') => text.replace(/<[^>]*>/g, '');
  return Object.fromEntries(
    [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map((match) => [plain(match[1]), plain(match[2])]),
  );
}

function callOf(id: string, parent: string | null, name: string, fields: object): NewRecord {
  const value = { callId: id, name, argumentsJson: JSON.stringify(fields) };
  const parts = [{ part: { case: 'toolCall' as const, value } }];
  return entry(id, parent, create(MessageSchema, { role: { case: 'assistant', value: { parts } } }));
}

/** WCAG 2.2, "contrast ratio". */
function contrast(a = '', b = ''): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
