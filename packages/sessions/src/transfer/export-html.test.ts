import { createHash } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { MessageSchema } from '@bulkhead/protocol/chat';
import { describe, expect, it } from 'vitest';
import { createMemorySessionStore } from '../memory-session-store.ts';
import { codeOf, entry, mark, toolMessage, userMessage } from '../testing.ts';
import { exportHtml } from './export-html.ts';

const ATTACK = `</pre></details><script>alert(1)</script><img src=x onerror="alert(2)">'"&amp;\u202e\u0000`;

function page(): string {
  const store = createMemorySessionStore();
  store.createSession({ id: 's', workingFolder: `/w/${ATTACK}`, time: 5 });
  const part = (value: Parameters<typeof create<typeof MessageSchema>>[1]) => create(MessageSchema, value);
  const user = part({
    role: {
      case: 'user',
      value: {
        text: ATTACK,
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
      mark('label', 'l', 'c', { label: ATTACK }),
      mark('compaction', 'k', 'l', { summary: ATTACK, keptFrom: 'a' }),
      mark('model_change', 'm', 'k', { model: ATTACK }),
      mark('custom', 'x', 'm', { name: ATTACK }),
      entry('side', 'a', userMessage('on a side branch')),
    ],
    { leaf: 'x', title: ATTACK },
  );
  return [...exportHtml(store, 's')].join('');
}

describe('a session as a page', () => {
  it('has no element but its own, whatever was said [S2]', () => {
    const tags = new Set([...page().matchAll(/<\/?([a-z0-9]+)/g)].map((match) => match[1]));
    const own =
      'html head meta title style body header h1 p time main article h2 div details summary pre img';
    expect([...tags].sort()).toEqual(own.split(' ').sort());
    const attributes = new Set(
      [...page().matchAll(/<[a-z0-9]+((?: [a-z-]+="[^"]*")*)>/g)].flatMap((match) =>
        [...(match[1] ?? '').matchAll(/ ([a-z-]+)=/g)].map((each) => each[1]),
      ),
    );
    expect([...attributes].sort()).toEqual(
      ['alt', 'charset', 'class', 'content', 'datetime', 'dir', 'http-equiv', 'lang', 'name', 'src'].sort(),
    );
    expect(page()).not.toMatch(/<script|<img src=x|\u202e|\p{Cc}(?<!\n)/u);
  });

  it('loads nothing and runs nothing', () => {
    const html = page();
    const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(html).toContain(`default-src 'none'; img-src data:; style-src 'sha256-${hash}'`);
    expect(html.indexOf('Content-Security-Policy')).toBeLessThan(html.indexOf('<title>'));
    expect([...html.matchAll(/src="([^"]*)"/g)].map((match) => match[1])).toEqual([
      'data:image/png;base64,AQID',
    ]);
    expect(html).not.toMatch(/https?:|url\(|@import/);
    expect(style).toContain('prefers-color-scheme:dark');
  });

  it('shows the branch the session stands at, thoughts, calls and results folded', () => {
    const html = page();
    expect(html.match(/<details>/g)).toHaveLength(3);
    expect(html).toContain('<summary>Thinking</summary><pre dir="auto">thought &lt;/pre&gt;');
    expect(html).toContain('<div class="text" dir="auto">answer &lt;');
    expect(html).not.toContain('on a side branch');
    expect(html).toContain('Summary of what was said before');
  });

  it('is not made of a session that is not there', () => {
    expect(codeOf(() => [...exportHtml(createMemorySessionStore(), 's')])).toBe('not_found');
  });
});
