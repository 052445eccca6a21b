import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTables } from '@bulkhead/sessions/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCallerTables } from './caller-tables.ts';

let folder: string;
const time = { now: 1_000_000 };
const clock = { confirmed: () => time.now };
/** s5 is a fork of s2's fork. */
const originOf = (id: string) => ({ s5: 's4', s4: 's2' })[id];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callers-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open() {
  const opened = openTables(join(folder, 'bulkhead.db'));
  return { ...createCallerTables(opened.tables, clock, originOf), ...opened };
}

describe('the keys of requests', () => {
  const kept = (record: string) => ({ fingerprint: 'f', record });

  it('stand for what was kept under them, over restarts, for a day, for their caller alone [I4]', () => {
    {
      using answers = open();
      answers.keepAnswer('a', 'k', kept('begun'));
      answers.keepAnswer('a', 'k', { fingerprint: 'other', record: 'ended' });
      answers.keepAnswer('b', 'k', kept('of b'));
    }
    using answers = open();
    expect(answers.answerOf('a', 'k')).toEqual(kept('ended'));
    expect(answers.answerOf('b', 'k')).toEqual(kept('of b'));
    expect(answers.answerOf('c', 'k')).toBeUndefined();
    time.now += 86_400_000;
    expect(answers.answerOf('a', 'k')).toBeUndefined();
    answers.keepAnswer('a', 'k', kept('anew'));
    expect(answers.answerOf('a', 'k')).toEqual(kept('anew'));
  });

  it('of engines that wrote wall time stand for a day from now on [FT83]', () => {
    {
      using before = open();
      const insert = "INSERT INTO callers_answers VALUES ('a', 'k', 'f', 'old', ?)";
      before.tables.prepare(insert).run(1_790_000_000_000);
    }
    using answers = open();
    time.now += 86_399_999;
    expect(answers.answerOf('a', 'k')).toEqual(kept('old'));
    time.now += 1;
    expect(answers.answerOf('a', 'k')).toBeUndefined();
  });

  it('are so many a day and no more: none is forgotten before its time', () => {
    using answers = open();
    answers.tables
      .prepare(
        `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 9999)
           INSERT INTO callers_answers SELECT 'a', 'k' || n, 'f', '', ? FROM numbers`,
      )
      .run(time.now);
    expect(() => answers.keepAnswer('a', 'more', kept(''))).toThrow(
      expect.objectContaining({ code: 'rate_limit', details: expect.objectContaining({ status: 429 }) }),
    );
    answers.keepAnswer('a', 'k0', kept('again'));
    answers.keepAnswer('b', 'more', kept(''));
    expect(answers.answerOf('a', 'k0')).toEqual(kept('again'));
  });
});

describe('the responses of programs', () => {
  const at = (sessionId: string, time?: string) => ({ sessionId, time });

  it('are found by their caller alone, over restarts, each with whether its session ends with it [I4]', () => {
    {
      using book = open();
      book.keepResponse('a', 'r1', at('s1', 't1'));
      book.keepResponse('a', 'r2', at('s1'));
      book.keepResponse('a', 'r3', at('s2', 't3'));
      book.keepResponse('a', 'r1', at('other', 'again'));
    }
    using book = open();
    expect(book.responseOf('a', 'r1')).toEqual({ ...at('s1', 't1'), isLast: false });
    expect(book.responseOf('a', 'r2')).toEqual({ ...at('s1'), isLast: true });
    expect(book.responseOf('a', 'r3')).toEqual({ ...at('s2', 't3'), isLast: true });
    expect([book.responseOf('b', 'r1'), book.responseOf('a', 'r4')]).toEqual([undefined, undefined]);
  });

  it('are forgotten with their session, as its names are, and those of no other [I4]', () => {
    using book = open();
    for (const session of ['s1', 's2']) {
      book.store.createSession({ id: session, workingFolder: '/w', time: 1 });
      book.keep('a', `name of ${session}`, session);
      book.keepResponse('a', `r of ${session}`, at(session, 't'));
    }
    book.store.deleteSession('s1', 2);
    expect([book.responseOf('a', 'r of s1'), book.sessionOf('a', 'name of s1')]).toEqual([
      undefined,
      undefined,
    ]);
    expect([book.isOfProgram('s1'), book.isOfProgram('s2')]).toEqual([false, true]);
    expect(book.responseOf('a', 'r of s2')).toEqual({ ...at('s2', 't'), isLast: true });
    expect(book.sessionOf('a', 'name of s2')).toBe('s2');
  });
});

describe('the sessions of programs', () => {
  it('are known from rows of an engine that kept more among the names [I4] [P7]', () => {
    using book = open();
    const row = book.tables.prepare('INSERT INTO callers_sessions VALUES (?, ?, ?)');
    row.run('a', 's2', 's2');
    row.run('a', '\u0001answer r1', 's2');
    row.run('a', '\u0001last s2', 'r1');
    expect([book.isOfProgram('s2'), book.isOfProgram('s1')]).toEqual([true, false]);
    expect(book.responseOf('a', 'r1')).toBeUndefined();
    book.keepResponse('a', 'r2', { sessionId: 's2', time: undefined });
    expect(book.responseOf('a', 'r2')?.isLast).toBe(true);
  });

  it('are made with whose they are in one transaction, or not at all [P7] [M4]', () => {
    using book = open();
    const make = (also: () => void): unknown =>
      book.store.createSession({ id: 's1', workingFolder: '/w', time: 1 }, { records: [], also });
    const half = (): void => {
      book.keep('a', 's1', 's1');
      throw new Error('no further');
    };
    expect(() => make(half)).toThrow('no further');
    expect([book.store.getSession('s1'), book.isOfProgram('s1')]).toEqual([undefined, false]);
    make(() => book.keep('a', 's1', 's1'));
    expect([book.store.getSession('s1')?.id, book.isOfProgram('s1')]).toEqual(['s1', true]);
  });

  it('are found by the names that their program gave them, and by no other program [I4]', () => {
    {
      using names = open();
      names.keep('a', 'x', 's1');
      names.keep('b', 'x', 's2');
      names.keep('a', 'y', 's3');
      names.keep('a', 'y', 's4');
    }
    using names = open();
    expect([names.sessionOf('a', 'x'), names.sessionOf('b', 'x'), names.sessionOf('a', 'y')]).toEqual([
      's1',
      's2',
      's4',
    ]);
    expect(names.sessionOf('b', 'y')).toBeUndefined();
    expect(names.sessionOf('', 'x')).toBeUndefined();
  });

  it('differ from those of the owner under any name [P7] [M4]', () => {
    using names = open();
    for (const [caller, session] of [
      ['owner', 's1'],
      ['a', 's2'],
    ] as const) {
      names.keep(caller, session, session);
      names.keep(caller, 'diary', session);
    }
    expect(['s1', 's2', 's3', 's5', ''].filter((session) => names.isOfProgram(session))).toEqual([
      's2',
      's5',
    ]);
  });
});
