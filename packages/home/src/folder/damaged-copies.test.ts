import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordDisk } from '@bulkhead/testkit/disk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bytesOf, damagedCopies, keepDamagedCopy, removeDamagedCopy } from './damaged-copies.ts';

describe('copies of a damaged session database', () => {
  let folder: string;
  const places = () => ({ damaged: join(folder, 'damaged'), database: join(folder, 'b.db') });
  const keep = (now = Date.UTC(2026, 0, 2, 3, 4, 5)) =>
    keepDamagedCopy(places(), 'records 7 and 8', { now: () => now });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bulkhead-copies-'));
    writeFileSync(places().database, 'pages');
    writeFileSync(`${places().database}-wal`, 'frames');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('keep both files and what was lost, for this user alone', () => {
    expect(damagedCopies(places())).toEqual([]);
    const copy = keep();
    const bytes = 'pagesframesrecords 7 and 8'.length;
    expect(copy).toEqual({ name: '0001-2026-01-02T03-04-05', isWhole: true, lost: 'records 7 and 8', bytes });
    expect(damagedCopies(places())).toEqual([copy]);
    const at = join(places().damaged, copy.name);
    expect(readdirSync(at).map((name) => [name, readFileSync(join(at, name), 'utf8')])).toEqual([
      ['b.db', 'pages'],
      ['b.db-wal', 'frames'],
      ['lost.txt', 'records 7 and 8'],
    ]);
    for (const name of readdirSync(at)) expect(statSync(join(at, name)).mode & 0o777).toBe(0o600);
    expect(statSync(at).mode & 0o777).toBe(0o700);
  });

  it('are on the disk before they have their name [FG4]', async () => {
    const deeds = (await recordDisk(() => keep())).map((deed) => deed.replaceAll(folder, '~'));
    const renamed = deeds.findIndex((deed) => deed.startsWith('rename '));
    const before = deeds.slice(0, renamed);
    for (const file of ['b.db', 'b.db-wal', 'lost.txt'])
      expect(before).toContain(`flush ~/damaged/new/${file}`);
    expect(before.at(-1)).toBe('flush ~/damaged/new');
    expect(deeds.slice(renamed + 1)).toContain('flush ~/damaged');
  });

  it('are four at most: the oldest goes', () => {
    for (let count = 0; count < 6; count += 1) keep();
    const numbers = damagedCopies(places()).map(({ name }) => name.slice(0, 4));
    expect(numbers).toEqual(['0003', '0004', '0005', '0006']);
  });

  it.each([0, -1, 8.64e15, -8.64e15, 8.64e15 - 1, 1 - 8.64e15, Number.NaN, 1e300])(
    'have a name whatever a clock says: %d',
    (now) => {
      const copy = keep(now);
      expect(damagedCopies(places())).toEqual([copy]);
    },
  );

  it('leave out a database that is too large', () => {
    truncateSync(places().database, 512 * 1024 * 1024 - 6);
    expect(keep().isWhole).toBe(true);
    truncateSync(places().database, 512 * 1024 * 1024 - 5);
    const { isWhole, name } = keep();
    expect([isWhole, readdirSync(join(places().damaged, name))]).toEqual([false, ['b.db-wal', 'lost.txt']]);
  });

  it('change nothing where none can be kept', () => {
    writeFileSync(places().damaged, 'a file');
    expect(() => keep()).toThrow(/lost records, and a copy of it could not be kept/);
    expect(readFileSync(places().database, 'utf8')).toBe('pages');
    expect(readFileSync(places().damaged, 'utf8')).toBe('a file');
  });

  it('are removed by name, and nothing else is', () => {
    const { name } = keep();
    for (const other of ['..', 'new', `${name}/b.db`, '0002-2026-01-02T03-04-05'])
      expect(() => removeDamagedCopy(places(), other)).toThrow(`there is no copy ${other}`);
    removeDamagedCopy(places(), name);
    expect(damagedCopies(places())).toEqual([]);
    expect(existsSync(places().database)).toBe(true);
  });

  it('count the bytes of a file, none for a missing one', () => {
    expect([bytesOf(places().database), bytesOf(join(folder, 'none'))]).toEqual([5, 0]);
  });
});
