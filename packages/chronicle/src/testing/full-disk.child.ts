/*
 * Takes a snapshot on a full disk: full-disk.child STORE WORK, with STORE on a small separate disk.
 * Prints the result.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import { Chronicle } from '../chronicle.ts';

const [store = '', work = ''] = process.argv.slice(2);
const chronicle = Chronicle.open({
  folder: join(store, 'chronicle'),
  retention: { snapshots: 100, days: 30, maxBytes: 1e12 },
  now: () => 1_700_000_000_000,
  confirmed: () => 0,
});

async function take(id: string, name: string) {
  writeFileSync(join(work, name), Buffer.alloc(50_000, id));
  try {
    await chronicle.take({
      id,
      run: 'r',
      session: 's',
      tool: 't',
      about: '',
      folder: work,
      paths: [{ path: Buffer.from(name) }],
    });
    return 'taken';
  } catch (error) {
    const { code, message } = BulkheadError.from(error);
    return { code, message };
  }
}

function fill(): void {
  try {
    for (;;) writeFileSync(join(store, 'filler'), Buffer.alloc(4096), { flag: 'a' });
  } catch {
    // The disk is full.
  }
}

const facts: Record<string, unknown> = { first: await take('A1', 'a') };
fill();
facts['full'] = await take('A2', 'b');
facts['listed'] = chronicle.list().map(({ id }) => id);
facts['left'] = readdirSync(join(store, 'chronicle'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  /new/.test(name),
);
rmSync(join(store, 'filler'));
facts['afterwards'] = await take('A3', 'c');
process.stdout.write(JSON.stringify(facts));
