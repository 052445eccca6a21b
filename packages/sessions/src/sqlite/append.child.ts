/**
 * A process that appends records to the database named by its first argument until its fourth error or
 * until it has appended as many as the third argument says, each body as long as the second argument says.
 * It writes one line per append: the `seq`, or the code of the error.
 */
import { flushCompileCache } from 'node:module';
import { BulkheadError } from '@bulkhead/protocol';
import { createSqliteSessionStore } from './sqlite-session-store.ts';

// A killed process saves nothing that it compiled; the next one starts from this.
flushCompileCache();
const [path = '', length = '10', count = '1000000'] = process.argv.slice(2);
const say = (line: string | number): boolean => process.stdout.write(`${line}\n`);
const store = createSqliteSessionStore(path, { busyTimeout: 50 });
if (store.getSession('s') === undefined) store.createSession({ id: 's', workingFolder: '/w', time: 1 });
const body = { value: 'x'.repeat(Number(length)) };
let errors = 0;
for (let done = 0; done < Number(count) && errors < 4; ) {
  try {
    const [record] = store.append('s', [{ time: 1, turn: '', type: 'flow_trusted', visible: true, body }]);
    say(record?.seq ?? 'none');
    done += 1;
  } catch (error) {
    errors += 1;
    say(BulkheadError.is(error) ? `${error.code} ${error.retryable}` : String(error));
  }
  await new Promise(setImmediate);
}
