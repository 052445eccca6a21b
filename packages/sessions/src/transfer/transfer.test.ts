import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversationOf } from '../conversation.ts';
import { createMemorySessionStore } from '../memory-session-store.ts';
import type { SessionStore } from '../session-store.ts';
import { randomTree, recordsOf } from '../testing/random-tree.ts';
import { assistantMessage, codeOf, entry, mark, plain, toolMessage, userMessage } from '../testing.ts';
import { exportJsonl } from './export-jsonl.ts';
import { importJsonl } from './import-jsonl.ts';

const HOSTILE = '\n\r"\\\u2028\u0000 \u{1f680} </script>';

function sampleStore(): SessionStore {
  const store = createMemorySessionStore();
  store.createSession({ id: 's', workingFolder: '/w', time: 5 });
  store.append(
    's',
    [
      entry('a', null, userMessage(HOSTILE)),
      plain('event', true),
      entry('b', 'a', assistantMessage('answer')),
      mark('label', 'l', 'b', { label: 'good' }),
      entry('c', 'b', toolMessage('result')),
      mark('compaction', 'k', 'c', { summary: 'short', keptFrom: 'b' }),
      entry('d', 'a', userMessage('other way')),
      mark('branch_summary', 'z', 'd', { summary: 'left', left: 'k' }),
    ],
    { leaf: 'z', title: 'A "title"' },
  );
  return store;
}

function importer(store: SessionStore, id: string) {
  let made = 0;
  const ids = (): string => `${id}-${++made}`;
  return (lines: Iterable<string> | AsyncIterable<string>) =>
    importJsonl(store, lines, { id, ids, workingFolder: '/new', time: 7, own: true });
}

/** The lines with entries named by their number, without values that an import sets anew. */
function normal(lines: Iterable<string>): string {
  const objects = [...lines].map((line): Record<string, unknown> => JSON.parse(line));
  const ids = objects.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  return JSON.stringify(objects, (key, value: unknown) => {
    if (['workingFolder', 'createdAt', 'updatedAt', 'sha256'].includes(key)) return undefined;
    return typeof value === 'string' && ids.includes(value) ? ids.indexOf(value) : value;
  });
}

describe('a session file', () => {
  it('holds the whole tree, and gives the same conversation back [S2]', async () => {
    const store = sampleStore();
    const lines = [...exportJsonl(store, 's')];
    expect(lines).toHaveLength(1 + 7 + 1);
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    const info = await importer(store, 'n')(lines);
    expect(info).toMatchObject({
      id: 'n',
      title: 'A "title"',
      workingFolder: '/new',
      messages: 3,
      origin: null,
    });
    expect(normal(exportJsonl(store, 'n'))).toBe(normal(lines));
    expect(conversationOf(store.branch('n', info.leaf))).toEqual(conversationOf(store.branch('s', 'z')));
    expect(store.labels('n').map(({ label }) => label)).toEqual(['good']);
    await importer(store, 'again')(lines.map((line) => line.slice(0, -1)));
    expect(normal(exportJsonl(store, 'again'))).toBe(normal(lines));
  });

  it('holds what a fork shares [S2]', async () => {
    const store = sampleStore();
    store.createSession({ id: 'f', workingFolder: '/w', time: 9, origin: { session: 's', entry: 'b' } });
    store.append('f', [entry('e', 'b', userMessage('mine'))], { leaf: 'e' });
    const info = await importer(store, 'n')(exportJsonl(store, 'f'));
    expect(conversationOf(store.branch('n', info.leaf))).toEqual(conversationOf(store.branch('f', 'e')));
    expect(info.messages).toBe(3);
  });

  it('comes back as it was, whatever the tree [S2]', async () => {
    await fc.assert(
      fc.asyncProperty(randomTree, fc.nat(), fc.string(), async (tree, at, title) => {
        const store = createMemorySessionStore();
        store.createSession({ id: 's', workingFolder: '/w', time: 1 });
        const records = recordsOf(tree);
        const leaf = records[at % (records.length + 1)]?.entry.id ?? null;
        store.append('s', records, { title, leaf });
        const lines = [...exportJsonl(store, 's')];
        const info = await importer(store, 'n')(lines);
        expect(normal(exportJsonl(store, 'n'))).toBe(normal(lines));
        const before = conversationOf(store.branch('s', store.getSession('s')?.leaf ?? null));
        expect(conversationOf(store.branch('n', info.leaf))).toEqual(before);
      }),
      { numRuns: 100 },
    );
  });

  describe('that is not one', () => {
    const refused = async (lines: readonly string[], because: RegExp): Promise<void> => {
      const store = createMemorySessionStore();
      const outcome = await importer(
        store,
        'n',
      )(lines).then(
        () => 'imported',
        (error: unknown) => ({ code: codeOf(() => raise(error)), message: String(error) }),
      );
      expect(outcome).toMatchObject({ code: 'usage', message: expect.stringMatching(because) });
      expect(store.countSessions()).toBe(0);
    };
    const raise = (error: unknown): never => {
      throw error;
    };
    const lines = (): string[] => [...exportJsonl(sampleStore(), 's')];

    it('is refused wherever it was cut, naming the line', async () => {
      const whole = lines();
      for (let length = 0; length < whole.length; length++) {
        await refused(whole.slice(0, length), /line \d+ of the session file/);
      }
      const text = whole.join('');
      for (let length = 0; length < text.length - 1; length += 37) {
        await refused(text.slice(0, length).split('\n'), /line \d+ of the session file/);
      }
    });

    it('is refused whichever character was changed', async () => {
      const text = lines().join('');
      for (let at = 0; at < text.length - 1; at += 11) {
        const other = text[at] === 'x' ? 'y' : 'x';
        await refused(`${text.slice(0, at)}${other}${text.slice(at + 1)}`.split('\n'), /line \d+/);
      }
    });

    it('is refused if it is foreign, newer, out of order or goes on after its end', async () => {
      const [header = '', first = '', second = '', ...rest] = lines();
      await refused(['hello'], /line 1 .* not a JSON object/);
      await refused(['{"a":1}'], /line 1 .* not the header/);
      await refused(
        [header.replace('"version":1', '"version":2'), first, ...rest],
        /line 1 .* has version 2/,
      );
      await refused([header, second, first, ...rest], /line 2 .* parent .* does not come before it/);
      await refused([header, first, first], /line 3 .* is there already/);
      await refused([header, second.replace('{', '{"more":1,')], /line 2 .* field "more" is not known/);
      await refused([...lines(), '{}'], /line 10 .* after the end/);
    });

    it('is refused with an entry that the store would refuse', async () => {
      const file = async (type: string, body: object): Promise<void> => {
        const { createHash } = await import('node:crypto');
        const [header = ''] = lines();
        const line = `${JSON.stringify({ id: 'x', parent: null, time: 1, turn: '', type, body })}\n`;
        const sha256 = createHash('sha256').update(`${header}${line}`).digest('hex');
        await refused([header, line, JSON.stringify({ leaf: 'x', entries: 1, sha256 })], /line 2/);
      };
      await file('message', {});
      await file('message', { message: { user: { colour: 'red' } } });
      await file('settled', { message: { user: { text: 'x' } } });
      await file('label', { label: 'x' });
      await file('compaction', { summary: 5 });
    });
  });
});
