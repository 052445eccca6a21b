import { isOf } from '@bulkhead/protocol/records';
import { describe, expect, it } from 'vitest';
import { sessionStage } from '../testing/session-stage.ts';

async function talked(...messages: readonly string[]) {
  const test = sessionStage({ replies: messages.map((text) => ({ text: `re ${text}` })) });
  const session = test.create();
  for (const message of messages) {
    test.send(session, message);
    await test.settle();
  }
  const entries = test.store.branch(session, test.store.getSession(session)?.leaf ?? null);
  return { ...test, session, entries };
}

describe('SessionTree', () => {
  it('forks at any entry: the fork goes its own way, the origin stays as it is [S2]', async () => {
    const { tree, session, entries, history, send, settle, store } = await talked('a', 'b');
    const fork = tree.fork(session, entries[1]?.id ?? '');
    expect(history(fork)).toEqual(['user: a', 'assistant: re a']);
    send(fork, 'c');
    await settle();
    expect(history(fork).slice(0, 3)).toEqual(['user: a', 'assistant: re a', 'user: c']);
    expect(history(session)).toHaveLength(4);
    expect(store.getSession(fork)?.origin).toEqual({ session, entry: entries[1]?.id });
    const again = tree.fork(fork, '');
    expect(history(again)).toEqual(history(fork));
  });

  it('moves to another entry, with word of what was left behind [S2]', async () => {
    const { tree, session, entries, history, send, settle } = await talked('a', 'b');
    tree.moveLeaf(session, entries[1]?.id ?? '', 'we spoke of b');
    expect(history(session)).toEqual([
      'user: a',
      'assistant: re a',
      expect.stringContaining('we spoke of b'),
    ]);
    send(session, 'c');
    await settle();
    expect(history(session).some((line) => line.includes('re b'))).toBe(false);
    tree.moveLeaf(session, entries.at(-1)?.id ?? '', '');
    expect(history(session)).toHaveLength(4);
    tree.moveLeaf(session, '', '');
    expect(history(session)).toEqual([]);
  });

  it('takes a branch up where it was left, and tells who watches [I3]', async () => {
    const { tree, session, entries, history, send, settle, store } = await talked('a', 'b', 'c');
    tree.moveLeaf(session, entries[1]?.id ?? '');
    send(session, 'd');
    await settle();
    const left = entries[2]?.id ?? '';
    expect(tree.moveLeaf(session, left, '', true)).toBe(entries.at(-1)?.id);
    expect(history(session)).toHaveLength(6);
    const moved = store.records(session, { seq: 0 }).filter(isOf('leaf_moved'));
    expect(moved.map(({ body }) => body.to)).toEqual([entries[1]?.id, entries.at(-1)?.id]);
    expect(tree.moveLeaf(session, left, '', true)).toBe(entries.at(-1)?.id);
    expect(store.records(session, { seq: 0 }).filter(({ type }) => type === 'leaf_moved')).toHaveLength(2);
  });

  it('refuses to move while the session works [T4]', async () => {
    const { tree, session, entries, send, settle, store } = await talked('a');
    const leaf = store.getSession(session)?.leaf;
    send(session, 'b');
    expect(() => tree.moveLeaf(session, entries[0]?.id ?? '')).toThrow(
      expect.objectContaining({ code: 'busy' }),
    );
    await settle();
    expect(store.getSession(session)?.leaf).not.toBe(leaf);
  });

  it('names entries and sessions, one line each [S2]', async () => {
    const { tree, session, entries, store, history } = await talked('a');
    const entry = entries[0]?.id ?? '';
    tree.label(session, entry, '  here\nit \u001b[31mbegan ');
    expect(store.labels(session)).toEqual([{ entry, label: 'here it [31mbegan' }]);
    tree.label(session, entry, '');
    expect(store.labels(session)).toEqual([]);
    tree.setTitle(session, 'A\ttitle');
    expect(store.getSession(session)?.title).toBe('A title');
    expect(history(session)).toHaveLength(2);
  });

  it('refuses entries of others and sessions that are not there, and changes nothing', async () => {
    const { tree, session, store } = await talked('a');
    const before = store.records(session, { pos: 0 });
    const missing = expect.objectContaining({ code: 'not_found' });
    expect(() => tree.fork(session, 'elsewhere')).toThrow(missing);
    expect(() => tree.moveLeaf(session, 'elsewhere', '')).toThrow(missing);
    expect(() => tree.label(session, 'elsewhere', 'x')).toThrow(missing);
    expect(() => tree.fork('nowhere', '')).toThrow(missing);
    expect(store.records(session, { pos: 0 })).toEqual(before);
    expect(store.countSessions()).toBe(1);
  });

  it('refuses to fork what is empty', () => {
    const test = sessionStage();
    expect(() => test.tree.fork(test.create(), '')).toThrow('nothing to fork');
  });

  it('deletes a session permanently, with its forks only on request [S2]', async () => {
    const { tree, session, store, sessions } = await talked('a');
    const fork = tree.fork(session, '');
    await expect(tree.delete(session, false)).rejects.toThrow(fork);
    expect(await tree.delete(session, true)).toEqual([fork, session]);
    expect(store.countSessions()).toBe(0);
    expect(() => sessions.actor(session)).toThrow('there is no session');
  });
});
