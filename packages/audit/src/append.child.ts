/**
 * Appends to the log in the folder given by its first argument, three steps at a time, until it is
 * killed or has failed four times. Writes one line per append: the last number, or the error's
 * code.
 */
import { flushCompileCache } from 'node:module';
import { BulkheadError, systemClock, systemTimers } from '@bulkhead/protocol';
import { openAuditLog } from './audit-log.ts';
import { proposed } from './testing.ts';

// A killed process saves nothing that it compiled; the next one starts from this.
flushCompileCache();
const [folder = '', limit = '1000000'] = process.argv.slice(2);
const log = await openAuditLog(folder, { clock: systemClock, timers: systemTimers });
let errors = 0;
for (let done = 0; done < Number(limit) && errors < 4; done++) {
  try {
    const entries = await log.append([proposed('a'), proposed('b'), proposed('c')]);
    process.stdout.write(`${entries.at(-1)?.n}\n`);
  } catch (error) {
    errors += 1;
    process.stdout.write(`${BulkheadError.is(error) ? error.code : String(error)}\n`);
  }
}
