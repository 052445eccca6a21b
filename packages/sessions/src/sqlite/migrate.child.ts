/**
 * A process that opens the database named by its first argument and migrates it. It ends itself
 * with SIGKILL at the point named by the second argument; without one it reports its start and end.
 */
import { flushCompileCache } from 'node:module';
import { openDatabase } from './open-database.ts';

// A killed process saves nothing that it compiled; the next one starts from this.
flushCompileCache();
const [path = '', point = ''] = process.argv.slice(2);
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
say('begun');
await new Promise(setImmediate);
openDatabase(path, 2000, (reached) => {
  if (reached === point) process.kill(process.pid, 'SIGKILL');
}).close();
say('done');
