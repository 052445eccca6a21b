import { createSqliteSessionStore } from '../sqlite/sqlite-session-store.ts';
import { accepted, entry, mark, modelCall, plain, userMessage } from '../testing.ts';

export const FOUR_SESSIONS = ['ant', 'bee', 'cat', 'dog'];

/** Four sessions, one after the other, so that most pages belong to one of them; one is a fork of another. */
export function makeFourSessions(path: string): void {
  const store = createSqliteSessionStore(path);
  for (const name of FOUR_SESSIONS) {
    if (name === 'dog') {
      const origin = { session: 'cat', entry: 'cat9' };
      store.createSession({ id: name, workingFolder: `/${name}`, time: 9, origin });
    } else store.createSession({ id: name, workingFolder: `/${name}`, time: 5 });
    for (let n = 0; n < 25; n++) {
      const parent = n === 0 ? (name === 'dog' ? 'cat9' : null) : `${name}${n - 1}`;
      const text = userMessage(`${name} says ${n} ${'words '.repeat(110)}`);
      store.append(name, [entry(`${name}${n}`, parent, text), plain('x', true)], { leaf: `${name}${n}` });
    }
    store.append(name, [accepted('m1'), modelCall(5), mark('label', 'l', `${name}3`, { label: name })]);
  }
  store.search('says', 1);
  store.close();
}
