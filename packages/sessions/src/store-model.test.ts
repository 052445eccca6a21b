import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { conversationOf } from './conversation.ts';
import { createMemorySessionStore } from './memory-session-store.ts';
import type { NewRecord, SessionStore } from './session-store.ts';
import { createSqliteSessionStore } from './sqlite/sqlite-session-store.ts';
import { accepted, entry, mark, modelCall, plain, settled, temporaryFolder } from './testing.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const SESSIONS = ['s', 'f', 'g'];
const ENTRIES = ['a', 'b', 'c', 'd', 'e', 'k'];
const session = fc.constantFrom(...SESSIONS);
const fork = fc.constantFrom('f', 'g');
const id = fc.constantFrom(...ENTRIES);

const record: fc.Arbitrary<NewRecord> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(id, fc.option(id)).map(([own, parent]) => entry(own, parent)) },
  { weight: 2, arbitrary: fc.tuple(id, id, fc.constantFrom('x', 'y', '')).map(labelOf) },
  { weight: 2, arbitrary: fc.tuple(id, fc.option(id), id).map(compactionOf) },
  fc.tuple(fc.string(), fc.boolean()).map(([type, visible]) => plain(`event-${type}`, visible)),
  fc.nat(5).map((time) => modelCall(time * 40_000_000)),
  id.map((each) => accepted(each)),
  id.map((each) => settled(each)),
);

function labelOf([own, parent, label]: [string, string, string]): NewRecord {
  return mark('label', own, parent, { label });
}

function compactionOf([own, parent, keptFrom]: [string, string | null, string]): NewRecord {
  return mark('compaction', own, parent, { summary: own, keptFrom });
}

const records = fc.array(record, { maxLength: 4 });
const options = fc.record(
  { leaf: fc.option(id), title: fc.string({ maxLength: 4 }), durable: fc.boolean() },
  { requiredKeys: [] },
);
type Step = (store: SessionStore) => unknown;
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(session, records, options).map(
      ([where, what, how]): Step =>
        (store) =>
          store.append(where, what, how),
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fork,
        fc.oneof(fc.constant('s'), session),
        fc.oneof(fc.constantFrom('a', 'b'), id),
        fc.option(records, { freq: 1 }),
      )
      .map(
        ([own, from, at, first]): Step =>
          (store) =>
            store.createSession(
              { id: own, workingFolder: '/w', time: 3, origin: { session: from, entry: at } },
              first === null ? undefined : { records: first },
            ),
      ),
  },
  {
    weight: 1,
    arbitrary: session.map(
      (where): Step =>
        (store) =>
          store.deleteSession(where, 9),
    ),
  },
);

function outcome<T>(action: () => T): T | string {
  try {
    return action();
  } catch (error) {
    return String(error);
  }
}

function views(store: SessionStore) {
  return {
    sessions: store.listSessions(10),
    calls: [store.modelCalls({}), store.modelCalls({ from: 1, to: 90_000_000 })],
    open: store.openInputs(),
    found: ENTRIES.map((word) =>
      store
        .search(word, 99)
        .map((hit) => JSON.stringify(hit))
        .sort(),
    ),
    each: SESSIONS.map((where) => ({
      records: outcome(() => [store.records(where, { pos: 0 }), store.records(where, { seq: 0 })]),
      last: outcome(() => store.lastSeq(where)),
      labels: outcome(() => store.labels(where)),
      forks: outcome(() => store.forksOf(where)),
      branches: ENTRIES.map((leaf) => outcome(() => store.branch(where, leaf))),
      recent: ENTRIES.map((leaf) => outcome(() => store.recentBranch(where, leaf, 80))),
      inputs: ENTRIES.map((message) => outcome(() => store.findInput(where, message))),
    })),
  };
}

/** Every branch of every session is a path: no entry twice, each over its parent, the first a root. */
function expectTrees(store: SessionStore): void {
  for (const { id: where } of store.listSessions(10)) {
    for (const { entry: leaf } of store.records(where, { pos: 0 })) {
      const branch = store.branch(where, leaf);
      expect(new Set(branch.map((each) => each.id)).size).toBe(branch.length);
      expect(branch.map((each) => each.parent)).toEqual(
        [null, ...branch.map((each) => each.id)].slice(0, -1),
      );
      const recent = store.recentBranch(where, leaf, 100).entries;
      expect(branch.slice(branch.length - recent.length)).toEqual(recent);
      expect(conversationOf(recent)[0]?.role.case ?? 'user').not.toBe('tool');
    }
  }
}

describe('the stores', () => {
  it('answer the same, whatever is appended, forked, labelled and deleted; and every branch is a path [S1]', () => {
    let forks = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 3, maxLength: 16, size: 'max' }), (steps) => {
        const path = join(folder.path, `${randomUUID()}.db`);
        const memory = createMemorySessionStore();
        let sqlite = createSqliteSessionStore(path);
        try {
          for (const store of [memory, sqlite]) {
            store.createSession({ id: 's', workingFolder: '/w', time: 1 });
            store.append('s', [entry('a', null), entry('b', 'a')], { leaf: 'b' });
          }
          for (const each of steps) {
            expect(outcome(() => each(sqlite))).toEqual(outcome(() => each(memory)));
          }
          forks += memory.listSessions(9).filter((info) => info.origin !== null).length;
          const expected = views(memory);
          expect(views(sqlite)).toEqual(expected);
          sqlite.close();
          sqlite = createSqliteSessionStore(path);
          expect(views(sqlite)).toEqual(expected);
          expectTrees(sqlite);
        } finally {
          memory.close();
          sqlite.close();
        }
      }),
      { numRuns: 120 },
    );
    expect(forks).toBeGreaterThan(50);
  });
});
