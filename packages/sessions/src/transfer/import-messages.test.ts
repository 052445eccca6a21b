import { describe, expect, it } from 'vitest';
import { conversationOf } from '../conversation.ts';
import { createMemorySessionStore } from '../memory-session-store.ts';
import { assistantMessage, codeOf, entry, toolMessage, userMessage } from '../testing.ts';
import { importMessages } from './import-messages.ts';
import { importedEntries, importedUpTo } from './imported-note.ts';

function options() {
  let made = 0;
  const ids = (): string => `e${++made}`;
  return { id: 's', ids, workingFolder: '/w', time: 7 };
}

describe('messages that somebody sent', () => {
  it('are the conversation of a session, and foreign to its last [I4] [F2]', () => {
    const store = createMemorySessionStore();
    const own = toolMessage('result');
    if (own.role.case === 'tool') own.role.value.ownWords = true;
    const first = { time: 7, turn: '', type: 'working_folder', visible: false, body: {} } as const;
    importMessages(store, [userMessage('hi'), assistantMessage('ho'), own], { ...options(), first: [first] });
    const said = conversationOf(store.branch('s', store.getSession('s')?.leaf ?? null));
    expect(said.map(({ role }) => role.case)).toEqual(['user', 'assistant', 'tool']);
    expect(said.some(({ role }) => role.case === 'tool' && role.value.ownWords)).toBe(false);
    expect(importedUpTo(store, 's')).toBe(store.lastPos('s'));
  });

  it('differ from messages of the session itself, which have events [I3]', () => {
    const store = createMemorySessionStore();
    importMessages(store, [userMessage('hi'), assistantMessage('ho')], options());
    store.append('s', [entry('own', 'e2')], { leaf: 'own' });
    expect(importedEntries(store, 's').map(({ id }) => id)).toEqual(['e1', 'e2']);
    store.createSession({ id: 'other', workingFolder: '/w', time: 7 });
    store.append('other', [entry('a', null)], { leaf: 'a' });
    expect(importedEntries(store, 'other')).toEqual([]);
  });

  it('are each somebody’s', () => {
    const store = createMemorySessionStore();
    const nobody = { ...userMessage('x'), role: { case: undefined } } as const;
    expect(codeOf(() => importMessages(store, [nobody], options()))).toBe('usage');
    expect(store.getSession('s')).toBeUndefined();
  });
});
