import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OpenedObjects } from './opened-objects.ts';

let home: string;
let database: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bulkhead-opened-'));
  database = join(home, 'state.db');
  writeFileSync(database, '1');
});
afterEach(() => {
  for (const path of [home, `${home}-away`]) rmSync(path, { recursive: true, force: true });
});

describe('files and folders that were opened', () => {
  it('are there while only their contents change [FT80]', () => {
    const opened = new OpenedObjects([home, database]);
    writeFileSync(database, '2');
    writeFileSync(join(home, 'other'), '');
    expect(opened.gone()).toBeUndefined();
  });

  it('are gone once one is deleted, and replaced once another one has its name [FT80]', () => {
    const opened = new OpenedObjects([home, database]);
    // Kept elsewhere, so that no other file gets its inode.
    renameSync(database, join(home, 'kept.db'));
    expect(opened.gone()).toEqual({ path: database, replaced: false });
    writeFileSync(database, '1');
    expect(opened.gone()).toEqual({ path: database, replaced: true });
    rmSync(database);
    renameSync(join(home, 'kept.db'), database);
    expect(opened.gone()).toBeUndefined();
  });

  it('are gone with the folder they lie in, also if an empty one takes its place [FT80]', () => {
    const opened = new OpenedObjects([home, database]);
    renameSync(home, `${home}-away`);
    expect(opened.gone()).toEqual({ path: home, replaced: false });
    mkdirSync(home);
    expect(opened.gone()).toEqual({ path: home, replaced: false });
  });
});
