import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { messageBody } from './message-body.ts';
import type { SessionStore } from './session-store.ts';
import { accepted, codeOf, entry, plain, settled, toolMessage, userMessage } from './testing.ts';

/** The one suite every session store passes. `open` gives an empty store. */
export function describeSessionStore(name: string, open: () => SessionStore): void {
  describe(`${name} as a session store`, () => {
    let store: SessionStore;
    beforeEach(() => {
      store = open();
      store.createSession({ id: 's', workingFolder: '/w', time: 500 });
    });
    afterEach(() => store.close());

    describe('sessions', () => {
      it('describes a new one', () => {
        const info = store.getSession('s');
        expect(info).toEqual({
          id: 's',
          createdAt: 500,
          updatedAt: 500,
          workingFolder: '/w',
          title: '',
          leaf: null,
          messages: 0,
        });
      });

      it('refuses an id twice', () => {
        expect(codeOf(() => store.createSession({ id: 's', workingFolder: '/x', time: 1 }))).toBe('internal');
        expect(store.getSession('s')?.workingFolder).toBe('/w');
      });

      it('does not know what was not made', () => {
        expect(store.getSession('nope')).toBeUndefined();
        expect(codeOf(() => store.append('nope', [plain('a', true)]))).toBe('not_found');
        expect(codeOf(() => store.records('nope', { pos: 0 }))).toBe('not_found');
        expect(codeOf(() => store.lastSeq('nope'))).toBe('not_found');
        expect(codeOf(() => store.branch('nope', null))).toBe('not_found');
        expect(codeOf(() => store.findInput('nope', 'm'))).toBe('not_found');
      });

      it('lists the last changed first, up to the limit', () => {
        store.createSession({ id: 'later', workingFolder: '/w', time: 600 });
        store.createSession({ id: 'same', workingFolder: '/w', time: 600 });
        expect(store.listSessions(9).map((each) => each.id)).toEqual(['same', 'later', 's']);
        store.append('s', [plain('a', true, 700)]);
        expect(store.listSessions(2).map((each) => each.id)).toEqual(['s', 'same']);
        expect(store.listSessions(0)).toEqual([]);
        expect(store.countSessions()).toBe(3);
      });

      it('keeps the title, and the time of the newest record', () => {
        store.append('s', [plain('a', true, 900), plain('b', true, 800)], { title: 'Gärten 🌱' });
        store.append('s', [plain('c', true, 100)]);
        expect(store.getSession('s')).toMatchObject({ title: 'Gärten 🌱', updatedAt: 900, createdAt: 500 });
      });

      it('counts messages of user and assistant, not results of tools', () => {
        store.append('s', [entry('a', null), entry('b', 'a', toolMessage('out')), entry('c', 'b')]);
        expect(store.getSession('s')?.messages).toBe(2);
      });
    });

    describe('the log', () => {
      it('gives every record a pos and only visible ones a seq, without gaps [T3]', () => {
        const first = store.append('s', [plain('a', true), plain('b', false), plain('c', true)]);
        const second = store.append('s', [plain('d', false), plain('e', true)]);
        expect([...first, ...second].map((record) => [record.pos, record.seq])).toEqual([
          [1, 1],
          [2, null],
          [3, 2],
          [4, null],
          [5, 3],
        ]);
        expect(store.lastSeq('s')).toBe(3);
      });

      it('numbers every session for itself', () => {
        store.createSession({ id: 'other', workingFolder: '/w', time: 1 });
        store.append('s', [plain('a', true)]);
        expect(store.append('other', [plain('a', true)])[0]).toMatchObject({
          pos: 1,
          seq: 1,
          sessionId: 'other',
        });
        expect(store.lastSeq('s')).toBe(1);
      });

      it('reads back what was appended', () => {
        const body = { text: 'line\n"\u0000\ud83d\ude00', lone: '\ud800', deep: [{ n: 1.5, none: null }] };
        const written = store.append('s', [{ time: 7, turn: 't', type: 'x', visible: true, body }]);
        expect(written[0]).toEqual({
          sessionId: 's',
          pos: 1,
          seq: 1,
          time: 7,
          turn: 't',
          type: 'x',
          version: 1,
          entry: null,
          parent: null,
          messageId: null,
          body,
        });
        expect(store.records('s', { pos: 0 })).toEqual(written);
      });

      it('resumes after any seq and misses nothing [T3]', () => {
        const all = store.append('s', [
          plain('a', true),
          plain('b', false),
          plain('c', true),
          plain('d', true),
        ]);
        const visible = all.filter((record) => record.seq !== null);
        for (let seq = 0; seq <= 3; seq++) expect(store.records('s', { seq })).toEqual(visible.slice(seq));
        for (let pos = 0; pos <= 4; pos++) expect(store.records('s', { pos })).toEqual(all.slice(pos));
        expect(store.records('s', { pos: 1 }, 2)).toEqual(all.slice(1, 3));
        expect(store.records('s', { seq: 1 }, 1)).toEqual(visible.slice(1, 2));
        expect(store.records('s', { seq: 99 })).toEqual([]);
      });

      it('does not change when the writer or a reader changes its objects', () => {
        const body = { list: [1] };
        const [written] = store.append('s', [{ ...plain('a', true), body }]);
        body.list.push(2);
        const list = written?.body['list'];
        if (Array.isArray(list)) list.push(3);
        expect(store.records('s', { pos: 0 })[0]?.body).toEqual({ list: [1] });
      });

      it('takes an append as a whole or not at all', () => {
        store.append('s', [entry('a', null)], { leaf: 'a' });
        const before = [store.records('s', { pos: 0 }), store.getSession('s')];
        const bad = [plain('ok', true), entry('b', 'a'), entry('c', 'missing')];
        expect(codeOf(() => store.append('s', bad, { leaf: 'b', title: 'no' }))).toBe('internal');
        expect([store.records('s', { pos: 0 }), store.getSession('s')]).toEqual(before);
        expect(store.append('s', [plain('next', true)])[0]).toMatchObject({ pos: 2, seq: 1 });
      });

      it('moves leaf and title without records', () => {
        store.append('s', [entry('a', null)], { leaf: 'a' });
        expect(store.append('s', [], { leaf: null, title: 't' })).toEqual([]);
        expect(store.getSession('s')).toMatchObject({ leaf: null, title: 't' });
      });

      it('refuses records that are not well formed', () => {
        const record = plain('a', true);
        expect(codeOf(() => store.append('s', [{ ...record, time: 1.5 }]))).toBe('internal');
        expect(codeOf(() => store.append('s', [{ ...record, turn: '\ud800' }]))).toBe('internal');
        expect(codeOf(() => store.append('s', [{ ...record, body: { n: 1n } }]))).toBe('internal');
        expect(store.records('s', { pos: 0 })).toEqual([]);
      });
    });

    describe('the tree', () => {
      it('gives the branch from root to leaf, other branches left out [S1]', () => {
        store.append('s', [entry('a', null), entry('b', 'a'), plain('x', true), entry('c', 'b')], {
          leaf: 'c',
        });
        store.append('s', [entry('d', 'b'), entry('e', 'd')], { leaf: 'e' });
        expect(store.branch('s', 'c').map((each) => each.id)).toEqual(['a', 'b', 'c']);
        expect(store.branch('s', 'e').map((each) => each.id)).toEqual(['a', 'b', 'd', 'e']);
        expect(store.branch('s', 'a').map((each) => each.id)).toEqual(['a']);
        expect(store.branch('s', null)).toEqual([]);
        expect(store.getSession('s')?.leaf).toBe('e');
      });

      it('gives each entry its message and what else its body holds', () => {
        const message = userMessage('hello 🌍');
        const body = { ...messageBody(message), cost: 0.25 };
        store.append('s', [{ ...entry('a', null), visible: true, body }]);
        const [read] = store.branch('s', 'a');
        expect(read).toMatchObject({
          id: 'a',
          parent: null,
          pos: 1,
          time: 1000,
          turn: 'run-1',
          type: 'message',
          body,
        });
        expect(read?.message).toEqual(message);
      });

      it('leaves the leaf where it is unless told [S3]', () => {
        store.append('s', [entry('a', null)], { leaf: 'a' });
        store.append('s', [entry('b', 'a')]);
        expect(store.getSession('s')?.leaf).toBe('a');
      });

      it('refuses an entry twice, an unknown parent, an unknown leaf, a parent that comes later', () => {
        store.append('s', [entry('a', null)]);
        expect(codeOf(() => store.append('s', [entry('a', null)]))).toBe('internal');
        expect(codeOf(() => store.append('s', [entry('b', null), entry('b', null)]))).toBe('internal');
        expect(codeOf(() => store.append('s', [entry('b', 'zzz')]))).toBe('internal');
        expect(codeOf(() => store.append('s', [entry('b', 'b')]))).toBe('internal');
        expect(codeOf(() => store.append('s', [entry('b', 'c'), entry('c', 'a')]))).toBe('internal');
        expect(codeOf(() => store.append('s', [plain('x', true)], { leaf: 'zzz' }))).toBe('internal');
        expect(codeOf(() => store.branch('s', 'zzz'))).toBe('not_found');
        expect(store.records('s', { pos: 0 })).toHaveLength(1);
      });

      it('keeps entries of one session out of another', () => {
        store.createSession({ id: 'other', workingFolder: '/w', time: 1 });
        store.append('s', [entry('a', null)], { leaf: 'a' });
        expect(codeOf(() => store.append('other', [entry('b', 'a')]))).toBe('internal');
        expect(codeOf(() => store.append('other', [], { leaf: 'a' }))).toBe('internal');
        expect(codeOf(() => store.branch('other', 'a'))).toBe('not_found');
      });

      it('refuses an entry whose message is not one', () => {
        const withBody = (body: object) => () =>
          store.append('s', [{ ...entry('a', null), body: { ...body } }]);
        expect(codeOf(withBody({}))).toBe('internal');
        expect(codeOf(withBody({ message: {} }))).toBe('internal');
        expect(codeOf(withBody({ message: { user: { text: 'x', colour: 'red' } } }))).toBe('internal');
        expect(codeOf(withBody({ message: { user: { text: 5 } } }))).toBe('internal');
      });
    });

    describe('accepted messages', () => {
      it('knows where the events of a message begin, and whether it is settled [T2]', () => {
        store.append('s', [plain('a', true), plain('b', true)]);
        expect(store.findInput('s', 'm1')).toBeUndefined();
        store.append('s', [accepted('m1')]);
        expect(store.findInput('s', 'm1')).toEqual({ messageId: 'm1', pos: 3, afterSeq: 2, settled: false });
        store.append('s', [plain('c', true), settled('m1')]);
        expect(store.findInput('s', 'm1')).toEqual({ messageId: 'm1', pos: 3, afterSeq: 2, settled: true });
      });

      it('accepts an id once per session, also within one append [T2]', () => {
        store.append('s', [accepted('m1')]);
        expect(codeOf(() => store.append('s', [accepted('m1')]))).toBe('internal');
        expect(codeOf(() => store.append('s', [accepted('m2'), accepted('m2')]))).toBe('internal');
        store.append('s', [settled('m1')]);
        expect(codeOf(() => store.append('s', [accepted('m1')]))).toBe('internal');
        store.createSession({ id: 'other', workingFolder: '/w', time: 1 });
        store.append('other', [accepted('m1')]);
        expect(store.findInput('s', 'm2')).toBeUndefined();
      });

      it('settles a message once, and only one that was accepted [T6]', () => {
        expect(codeOf(() => store.append('s', [settled('m1')]))).toBe('internal');
        store.append('s', [accepted('m1'), settled('m1')]);
        expect(codeOf(() => store.append('s', [settled('m1')]))).toBe('internal');
      });

      it('wants an id where it means something, and none elsewhere', () => {
        const without = ({ messageId: _, ...rest }: ReturnType<typeof accepted>) => rest;
        expect(codeOf(() => store.append('s', [without(accepted('m'))]))).toBe('internal');
        expect(codeOf(() => store.append('s', [without(settled('m'))]))).toBe('internal');
        expect(codeOf(() => store.append('s', [{ ...plain('a', true), messageId: 'm' }]))).toBe('internal');
        expect(codeOf(() => store.append('s', [{ ...accepted('m'), visible: true }]))).toBe('internal');
      });

      it('lists what is open over all sessions, in order [T8]', () => {
        store.createSession({ id: 'other', workingFolder: '/w', time: 1 });
        store.append('other', [plain('a', true), accepted('m1', 42)]);
        store.append('s', [accepted('m1'), accepted('m2'), accepted('m3'), settled('m2')]);
        expect(store.openInputs().map((each) => [each.sessionId, each.messageId])).toEqual([
          ['s', 'm1'],
          ['s', 'm3'],
          ['other', 'm1'],
        ]);
        expect(store.openInputs()[2]).toEqual({
          sessionId: 'other',
          messageId: 'm1',
          pos: 2,
          afterSeq: 1,
          time: 42,
          turn: '',
          body: { text: 'about m1' },
        });
      });
    });

    it('refuses everything once closed, and closes twice', () => {
      store.close();
      store.close();
      expect(codeOf(() => store.append('s', [plain('a', true)]))).toBe('store_failed');
      expect(codeOf(() => store.getSession('s'))).toBe('store_failed');
      expect(codeOf(() => store.listSessions(1))).toBe('store_failed');
      expect(codeOf(() => store.openInputs())).toBe('store_failed');
    });
  });
}
