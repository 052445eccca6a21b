import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { damagedCopies } from '@bulkhead/home/folder/damaged-copies';
import { type HomeLayout, homeLayout } from '@bulkhead/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLogsOf, work } from '../testing/logs-stage.ts';

function checkpointOf({ database }: HomeLayout): void {
  const other = new DatabaseSync(database);
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  other.close();
}

describe('a database file that is older than its write-ahead log', () => {
  it('is named and kept aside, with a checkpoint between the two [S4] [FT82]', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bulkhead-pair-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const layout = homeLayout(`${folder}/pair`);
    mkdirSync(layout.state, { recursive: true });

    const before = `${folder}/pair-older.db`;
    const found = `${folder}/pair-found`;
    {
      await using opened = await openLogsOf(layout);
      await opened.logs.agree();
      opened.logs.store.createSession({ id: 's', workingFolder: '/w', time: 1 });
      for (let count = 0; count < 60; count += 1) {
        await work(opened.logs, 's', `pair-${count}`);

        if (count === 20) {
          checkpointOf(layout);
          cpSync(layout.database, before);
        }
        if (count === 50) checkpointOf(layout);
      }
      cpSync(layout.root, found, { recursive: true });
    }
    rmSync(layout.root, { recursive: true });
    cpSync(found, layout.root, { recursive: true });
    cpSync(before, layout.database);
    for (const start of [1, 2]) {
      await using opened = await openLogsOf(layout);
      expect({ start, notices: opened.logs.notices().join() }).toEqual({
        start,
        notices: expect.stringContaining('pages do not fit together'),
      });
      expect(damagedCopies(layout)).toMatchObject([{ isWhole: true }]);
      // A write, and a crash after it.
      await opened.logs.agree();
      opened.logs.store.createSession({ id: `after-${start}`, workingFolder: '/w', time: 1 });
      cpSync(layout.root, `${layout.root}-crashed`, { recursive: true });
      await opened[Symbol.asyncDispose]();
      rmSync(layout.root, { recursive: true });
      cpSync(`${layout.root}-crashed`, layout.root, { recursive: true });
    }
  });
});
