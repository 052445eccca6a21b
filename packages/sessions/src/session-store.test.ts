import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createMemorySessionStore } from './memory-session-store.ts';
import { describeSessionStore } from './session-store.conformance.ts';
import type { SessionStore } from './session-store.ts';
import { createSplitSessionStore } from './split-session-store.ts';
import { createSqliteSessionStore } from './sqlite/sqlite-session-store.ts';
import { temporaryFolder } from './testing.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const openSqlite = (): SessionStore => createSqliteSessionStore(join(folder.path, `${randomUUID()}.db`));

function openOffTheRecord(): SessionStore {
  const split = createSplitSessionStore(openSqlite(), createMemorySessionStore());
  return {
    ...split,
    createSession: (input, first) => split.createSession({ ...input, offTheRecord: true }, first),
  };
}

describeSessionStore('memory', createMemorySessionStore);
describeSessionStore('SQLite', openSqlite);
describeSessionStore('split', () => createSplitSessionStore(openSqlite(), createMemorySessionStore()));
describeSessionStore('split, off the record', openOffTheRecord, true);
