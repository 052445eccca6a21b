import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAuditLog } from '../audit-log.ts';
import { proposed, rejection, temporaryFolder, withClock, writeLog } from '../testing.ts';
import { verifyAuditLog } from '../verify/verify-audit-log.ts';
import { type EntryMark, eachEntryAfter, type TailEntry } from './each-entry-after.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

async function read(mark?: EntryMark) {
  const entries: TailEntry[] = [];
  const found = await eachEntryAfter(folder.path, mark, (entry) => void entries.push(entry));
  return { found, entries, actions: entries.map(({ action }) => action) };
}

describe('the tail of the audit log', () => {
  it('starts after the marked entry, over several files, and reads no older file', async () => {
    await writeLog(folder.path, 9, 1_000);
    const { entries } = await read();
    expect(entries.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const mark of entries.slice(0, 8)) {
      expect(await read(mark)).toMatchObject({
        found: true,
        actions: entries.slice(mark.n).map(({ action }) => action),
      });
    }
    writeFileSync(
      join(folder.path, 'audit-000001.jsonl'),
      readFileSync(join(folder.path, 'audit-000001.jsonl'), 'utf8').replaceAll('a1', 'xx'),
    );
    expect(await read(entries[7])).toMatchObject({ found: true, actions: ['a9'] });
  });

  it('says that a log is not the marked one, and that there is none', async () => {
    await writeLog(folder.path, 3);
    expect(await read({ n: 2, self: '0'.repeat(64) })).toEqual({ found: false, entries: [], actions: [] });
    expect(await read({ n: 9, self: '0'.repeat(64) })).toEqual({ found: false, entries: [], actions: [] });
    const [, , last] = (await read()).entries;
    expect(await read(last)).toEqual({ found: true, entries: [], actions: [] });
    rmSync(join(folder.path, 'audit-000001.jsonl'));
    expect(await read(last)).toEqual({ found: false, entries: [], actions: [] });
    expect(await read()).toEqual({ found: true, entries: [], actions: [] });
  });

  it('leaves out an incomplete last line and rejects a line that is no entry', async () => {
    await writeLog(folder.path, 3);
    const path = join(folder.path, 'audit-000001.jsonl');
    truncateSync(path, readFileSync(path).length - 4);
    expect(await read()).toMatchObject({ actions: ['a1', 'a2'] });
    appendFileSync(path, '\n');
    expect((await rejection(read())).message).toMatch(/entry 3 in audit-000001.jsonl is bad/);
  });

  it('holds the position of the session log, in an entry that both verifiers accept [U1]', async () => {
    const log = await openAuditLog(folder.path, withClock);
    await log.append([{ ...proposed('a1'), logged: 17 }, { ...proposed('a2'), logged: 0 }, proposed('a3')]);
    await log.close();
    expect((await read()).entries.map(({ logged }) => logged)).toEqual([17, undefined, undefined]);
    expect(await verifyAuditLog(folder.path, { chain: true })).toMatchObject({ ok: true, entries: 3 });
    await (await openAuditLog(folder.path, withClock)).close();
  });
});
