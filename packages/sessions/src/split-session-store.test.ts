import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemorySessionStore } from './memory-session-store.ts';
import type { SessionStore } from './session-store.ts';
import { createSplitSessionStore } from './split-session-store.ts';
import { createSqliteSessionStore } from './sqlite/sqlite-session-store.ts';
import { accepted, CALL, codeOf, entry, mark, modelCall, temporaryFolder, userMessage } from './testing.ts';

let folder: ReturnType<typeof temporaryFolder>;
let disk: SessionStore;
let store: SessionStore;
beforeEach(() => {
  folder = temporaryFolder();
  disk = createSqliteSessionStore(join(folder.path, 'sessions.db'));
  store = createSplitSessionStore(disk, createMemorySessionStore());
  store.createSession({ id: 'on', workingFolder: '/w', time: 1 });
  store.createSession({ id: 'off', workingFolder: '/w-zqsecret', time: 2, offTheRecord: true });
});
afterEach(() => {
  store.close();
  folder[Symbol.dispose]();
});

function onDisk(): string {
  return readdirSync(folder.path)
    .map((file) => readFileSync(join(folder.path, file), 'latin1'))
    .join('');
}

describe('a store with sessions off the record', () => {
  it('writes nothing of them to the disk, whatever is done with them [S5]', () => {
    store.append(
      'off',
      [
        accepted('zqsecret-message'),
        entry('a', null, userMessage('zqsecret text')),
        mark('label', 'l', 'a', { label: 'zqsecret label' }),
        modelCall(5, { model: 'zqsecret/model' }),
      ],
      { leaf: 'a', title: 'zqsecret title' },
    );
    store.append('on', [entry('a', null, userMessage('plain needle'))], { leaf: 'a' });
    const origin = { session: 'off', entry: 'a' };
    store.createSession({ id: 'zqsecret-fork', workingFolder: '/w', time: 3, origin, offTheRecord: true });
    expect(store.search('zqsecret', 9)).toHaveLength(1);
    expect(store.branch('zqsecret-fork', 'a')).toHaveLength(1);
    expect(store.openInputs().map((each) => each.messageId)).toEqual(['zqsecret-message']);
    expect(onDisk()).toContain('plain needle');
    expect(onDisk()).not.toContain('secret');
    store.deleteSession('zqsecret-fork', 5);
    store.deleteSession('off', 5);
    store.close();
    expect(onDisk()).not.toContain('secret');
  });

  it('shows both kinds in one list, the last changed first', () => {
    store.append('on', [{ ...entry('a', null), time: 50 }]);
    expect(store.listSessions(9).map((each) => [each.id, each.offTheRecord])).toEqual([
      ['on', false],
      ['off', true],
    ]);
    store.append('off', [{ ...entry('a', null), time: 60 }]);
    expect(store.listSessions(1).map((each) => each.id)).toEqual(['off']);
    expect(store.listSessions(0)).toEqual([]);
    expect(store.countSessions()).toBe(2);
    expect(disk.countSessions()).toBe(1);
  });

  it('counts calls off the record as they were written to the disk: once, and without their session [D2] [S5]', () => {
    store.append('on', [modelCall(5)]);
    store.append('off', [modelCall(6)]);
    store.addSpending(CALL, 6);
    expect(store.modelCalls({}).map((each) => each.session)).toEqual(['', 'on']);
    expect(store.modelCalls({ session: 'off' })).toHaveLength(1);
  });

  it('refuses a fork that would leave its kind, and an id twice [S5]', () => {
    for (const id of ['on', 'off']) store.append(id, [entry('a', null)]);
    const fork = (from: string, offTheRecord: boolean) => () =>
      store.createSession({
        id: 'f',
        workingFolder: '/w',
        time: 3,
        origin: { session: from, entry: 'a' },
        offTheRecord,
      });
    expect(codeOf(fork('off', false))).toBe('usage');
    expect(codeOf(fork('on', true))).toBe('usage');
    expect(codeOf(fork('nope', true))).toBe('not_found');
    expect(codeOf(() => store.createSession({ id: 'off', workingFolder: '/', time: 1 }))).toBe('internal');
    expect(
      codeOf(() => store.createSession({ id: 'on', workingFolder: '/', time: 1, offTheRecord: true })),
    ).toBe('internal');
    expect(store.countSessions()).toBe(2);
  });

  it('is not what a store on the disk takes [S5]', () => {
    const input = { id: 'x', workingFolder: '/w', time: 1, offTheRecord: true };
    expect(() => disk.createSession(input)).toThrow('off the record and must not reach the disk');
    expect(codeOf(() => disk.createSession(input))).toBe('internal');
  });
});
