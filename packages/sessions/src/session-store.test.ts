import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createMemorySessionStore } from './memory-session-store.ts';
import { describeSessionStore } from './session-store.conformance.ts';
import type { NewRecord, SessionStore } from './session-store.ts';
import { createSqliteSessionStore } from './sqlite/sqlite-session-store.ts';
import { accepted, entry, plain, settled, temporaryFolder } from './testing.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const openSqlite = (): SessionStore => createSqliteSessionStore(join(folder.path, `${randomUUID()}.db`));

describeSessionStore('memory', createMemorySessionStore);
describeSessionStore('SQLite', openSqlite);

const id = fc.constantFrom('a', 'b', 'c', 'd');
const record: fc.Arbitrary<NewRecord> = fc.oneof(
  fc.tuple(fc.string(), fc.boolean()).map(([type, visible]) => plain(`event-${type}`, visible)),
  fc.tuple(id, fc.option(id)).map(([own, parent]) => entry(own, parent)),
  id.map((each) => accepted(each)),
  id.map((each) => settled(each)),
);
const append = fc.record({
  records: fc.array(record, { maxLength: 4 }),
  options: fc.record({ leaf: fc.option(id), title: fc.string({ maxLength: 4 }) }, { requiredKeys: [] }),
});

function outcome<T>(action: () => T): T | string {
  try {
    return action();
  } catch (error) {
    return String(error);
  }
}

function everything(store: SessionStore) {
  return {
    sessions: store.listSessions(10),
    records: [store.records('s', { pos: 0 }), store.records('s', { seq: 0 }), store.lastSeq('s')],
    branches: ['a', 'b', 'c', 'd'].map((leaf) => outcome(() => store.branch('s', leaf))),
    inputs: ['a', 'b', 'c', 'd'].map((message) => store.findInput('s', message)),
    open: store.openInputs(),
  };
}

describe('the two stores', () => {
  it('answer the same, whatever is appended [S1]', () => {
    fc.assert(
      fc.property(fc.array(append, { maxLength: 6 }), (appends) => {
        const stores = [createMemorySessionStore(), openSqlite()];
        try {
          const [memory, sqlite] = stores.map((store) => {
            store.createSession({ id: 's', workingFolder: '/w', time: 1 });
            const answers = appends.map(({ records, options }) =>
              outcome(() => store.append('s', records, options)),
            );
            return { answers, everything: everything(store) };
          });
          expect(memory).toEqual(sqlite);
        } finally {
          for (const store of stores) store.close();
        }
      }),
      { numRuns: 60 },
    );
  });
});
