import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionStore } from '../session-store.ts';
import { createSqliteSessionStore } from './sqlite-session-store.ts';

let folder: string;
let store: SessionStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-flush-'));
  store = createSqliteSessionStore(join(folder, 'sessions.db'));
  store.createSession({ id: 's', workingFolder: '/w', time: 1 });
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('flush of the session database', () => {
  it('serves all who ask, again and again, and keeps nothing open behind a closed store', async () => {
    await Promise.all(Array.from({ length: 50 }, () => store.flush()));
    await store.flush();
    const last = store.flush();
    store.close();
    await last;
    await expect(store.flush()).rejects.toMatchObject({ code: 'store_failed' });
  });

  it('refuses to say that a log is kept that is not there, and writes nothing more [FT80]', async () => {
    await store.flush();
    rmSync(join(folder, 'sessions.db-wal'));
    await expect(store.flush()).rejects.toMatchObject({ code: 'store_failed' });
    expect(() => store.append('s', [])).toThrow(expect.objectContaining({ code: 'store_failed' }));
  });
});
