import type { SessionStore } from '../session-store.ts';
import { createSqliteSessionStore } from '../sqlite/sqlite-session-store.ts';
import { accepted, entry, plain } from '../testing.ts';

/** A closed database with two sessions and some branches, and all its readable data. */
export function makeDatabase(path: string): string {
  const store = createSqliteSessionStore(path);
  for (const id of ['s', 'other']) {
    store.createSession({ id, workingFolder: `/home/${id}`, time: 1 });
    store.append(id, [accepted('m1'), entry('a', null), plain('x', true)], {
      leaf: 'a',
      title: `about ${id}`,
    });
    for (let n = 0; n < 30; n++) store.append(id, [plain(`${n} `.repeat(200), true)]);
    store.append(id, [entry('b', 'a'), entry('c', 'a')], { leaf: 'c' });
  }
  const all = everything(store);
  store.close();
  return all;
}

/** All data that a store returns for the sessions of `makeDatabase`. */
export function everything(store: SessionStore): string {
  const ids = ['s', 'other'];
  return JSON.stringify([
    store.listSessions(9),
    ids.map((id) => store.getSession(id)),
    ids.map((id) => [store.records(id, { pos: 0 }), store.records(id, { seq: 0 }), store.lastSeq(id)]),
    ids.map((id) => [store.branch(id, 'b'), store.branch(id, 'c'), store.findInput(id, 'm1')]),
    store.openInputs(),
  ]);
}
