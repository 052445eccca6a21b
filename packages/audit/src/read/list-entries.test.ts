import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAuditLog } from '../audit-log.ts';
import { noTimers, proposed, rejection, temporaryFolder, withClock, writeLog } from '../testing.ts';
import { eachLineBack } from './each-line-back.ts';
import { listEntries } from './list-entries.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

const actionsOf = async (filter: Parameters<typeof listEntries>[1], limit: number) =>
  (await listEntries(folder.path, filter, limit)).map(({ n, action }) => [n, action]);

describe('a list of entries', () => {
  it('is of the last ones, oldest first, over files', async () => {
    await writeLog(folder.path, 9, 1_000);
    expect(await actionsOf({}, 3)).toEqual([
      [7, 'a7'],
      [8, 'a8'],
      [9, 'a9'],
    ]);
    expect((await listEntries(folder.path, {}, 100)).map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await actionsOf({ action: 'a2' }, 5)).toEqual([[2, 'a2']]);
    expect(await actionsOf({ session: 's' }, 1)).toEqual([[9, 'a9']]);
    expect(await actionsOf({ session: 'other' }, 5)).toEqual([]);
    expect(await actionsOf({ since: Date.now() }, 5)).toEqual([]);
    expect(await actionsOf({ since: 1_600_000_000_000 }, 1)).toEqual([[9, 'a9']]);
  });

  it('does not read what is older than it needs', async () => {
    await writeLog(folder.path, 9, 1_000);
    writeFileSync(join(folder.path, 'audit-000001.jsonl'), 'not a log\n');
    expect(await actionsOf({}, 2)).toEqual([
      [8, 'a8'],
      [9, 'a9'],
    ]);
    expect((await rejection(listEntries(folder.path, {}, 100))).message).toMatch(
      /entry \d+ .* is bad: it is not JSON/,
    );
  });

  it('by time misses none because a clock was wrong for a while [FT83]', async () => {
    const time = { now: 1_790_000_000_000 };
    const clock = { now: () => time.now, monotonic: () => 0 };
    const log = await openAuditLog(folder.path, { ...withClock, clock, timers: noTimers });
    const append = () => log.append([proposed('a')]);
    const since = time.now;
    await append();
    time.now = 86_400_000;
    await append();
    await append();
    time.now = since + 1;
    await append();
    await log.close();
    expect((await actionsOf({ since }, 10)).map(([n]) => n)).toEqual([1, 4]);
  });

  it('leaves out a last line that is not whole [FT86]', async () => {
    await writeLog(folder.path, 3);
    const path = join(folder.path, 'audit-000001.jsonl');
    truncateSync(path, readFileSync(path).length - 4);
    expect(await actionsOf({}, 1)).toEqual([[2, 'a2']]);
    appendFileSync(path, '\n');
    expect((await rejection(listEntries(folder.path, {}, 1))).code).toBe('audit_failed');
  });

  it('has an entry of every length once', async () => {
    const log = await openAuditLog(folder.path, { ...withClock, timers: noTimers });
    for (let n = 0; n < 40; n++) {
      await log.append([
        {
          ...proposed(`a${n}`),
          details: { long: 'x'.repeat(512), more: Array(30).fill('y'.repeat(n * 12)) },
        },
      ]);
    }
    await log.close();
    expect((await listEntries(folder.path, {}, 100)).map(({ action }) => action)).toEqual(
      Array.from({ length: 40 }, (_, n) => `a${n}`),
    );
  });
});

it('lines read from the end are those of the file, turned round', async () => {
  const path = join(folder.path, 'lines');
  const line = fc.oneof(
    fc.string({ maxLength: 9 }),
    fc.integer({ min: 0, max: 60_000 }).map((size) => 'x'.repeat(size)),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        line.map((text) => text.replaceAll('\n', '')),
        { maxLength: 30 },
      ),
      fc.boolean(),
      async (lines, torn) => {
        writeFileSync(path, `${lines.map((text) => `${text}\n`).join('')}${torn ? 'torn' : ''}`);
        const seen: string[] = [];
        await using file = await open(path, 'r');
        await eachLineBack(file, (each) => {
          seen.push(each.toString());
          return true;
        });
        expect(seen.toReversed()).toEqual(lines);
      },
    ),
    { numRuns: 100 },
  );
});
