/**
 * One change of the database that belongs together, made by a process that ends itself with SIGKILL at the step of
 * the tables that the third argument numbers: before or after one of their statements. It says `done` if there are
 * fewer steps.
 */
import { flushCompileCache } from 'node:module';
import { createLabelTables } from '@bulkhead/actions/flow/label-tables';
import { createCallerTables } from '@bulkhead/log/callers/caller-tables';
import { openTables } from '@bulkhead/sessions/testing';

// A killed process saves nothing that it compiled; the next one starts from this.
flushCompileCache();
const [path = '', change = '', last = ''] = process.argv.slice(2);
let steps = 0;
const step = (): void => {
  steps += 1;
  if (steps === Number(last)) process.kill(process.pid, 'SIGKILL');
};

const { store, tables } = openTables(path);
const watched = {
  ...tables,
  prepare: (sql: string) => {
    const statement = tables.prepare(sql);
    const run = statement.run.bind(statement);
    return Object.assign(statement, {
      run: (...values: Parameters<typeof run>) => {
        step();
        const result = run(...values);
        step();
        return result;
      },
    });
  },
};
const callers = createCallerTables(watched, { confirmed: () => 1 }, () => undefined);
const labels = createLabelTables(watched);

switch (change) {
  case 'create':
    store.createSession(
      { id: 'made', workingFolder: '/w', time: 1 },
      { records: [], also: () => callers.keep('program', 'made', 'made') },
    );
    break;
  case 'delete':
    store.deleteSession('old', 2);
    break;
  case 'label':
    labels.together(() => {
      labels.displaced.note('a', '/w/a', undefined);
      labels.of('file').set('/w/a', { secrecy: 'restricted', trust: 'external' });
      labels.history.meet('old', 8, { secrecy: 'internal', trust: 'external' });
      labels.history.tell('old', 8);
    });
    break;
}
process.stdout.write('done');
