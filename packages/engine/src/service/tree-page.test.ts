import { sessionStage } from '@bulkhead/runtime/testing';
import { expect, it } from 'vitest';
import { treePage } from './tree-page.ts';

it('reads all branches of a session page by page, the newest first [I3]', async () => {
  const test = sessionStage({ replies: ['a', 'b', 'c'].map((text) => ({ text: `re ${text}\nmore` })) });
  const session = test.create();
  const say = async (text: string) => {
    test.send(session, text);
    await test.settle();
  };
  await say('a');
  const [asked = ''] = test.store.tree(session).map(({ id }) => id);
  await say('b');
  test.tree.moveLeaf(session, asked);
  await say('c');
  test.tree.label(session, asked, 'start');
  const page = (before = '', limit = 0) => {
    const info = test.sessions.session(session);
    return treePage(test.store, info, { before, limit });
  };

  const whole = page();
  expect(whole.more).toBe(false);
  expect(whole.leaf).toBe(whole.entries.find(({ text }) => text === 're c …')?.entryId);
  expect(whole.entries.map(({ kind, text, label, current }) => [kind, text, label, current])).toEqual([
    ['user', 'a', 'start', true],
    ['assistant', 're a …', '', false],
    ['user', 'b', '', false],
    ['assistant', 're b …', '', false],
    ['user', 'c', '', true],
    ['assistant', 're c …', '', true],
    ['label', 'start', '', false],
  ]);
  expect(whole.entries[4]?.parentId).toBe(asked);

  const newest = page('', 3);
  expect(newest.more).toBe(true);
  const earlier = page(newest.entries[0]?.entryId, 1_000);
  expect(earlier.more).toBe(false);
  expect([...earlier.entries, ...newest.entries]).toEqual(whole.entries);
  expect(() => page('elsewhere')).toThrow(expect.objectContaining({ code: 'not_found' }));

  const fork = test.tree.fork(session, whole.leaf);
  const shared = treePage(test.store, test.sessions.session(fork), { before: '', limit: 0 });
  expect(shared.entries.map(({ text }) => text)).toEqual(['a', 'c', 're c …']);
});

it('gives no more than a thousand entries at once, whatever is asked for, and five hundred if nothing is [I3]', async () => {
  const test = sessionStage({ replies: [{ text: 'hello' }] });
  const session = test.create();
  test.send(session, 'a');
  await test.settle();
  const [asked = ''] = test.store.tree(session).map(({ id }) => id);
  for (let count = 0; count < 1_000; count += 1) test.tree.label(session, asked, `label ${count}`);
  const page = (limit: number) => treePage(test.store, test.sessions.session(session), { before: '', limit });
  const lengths = [0, 1_000_000, 700].map((limit) => page(limit).entries.length);
  expect(lengths).toEqual([500, 1_000, 700]);
  expect(page(1_000_000).more).toBe(true);
});
