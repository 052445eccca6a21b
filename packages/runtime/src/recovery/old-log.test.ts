import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteSessionStore } from '@bulkhead/sessions';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionStage } from '../testing/session-stage.ts';

/**
 * Written by the last version before intents were recorded: session `ran` stops after `make` was allowed, session `asked` while a
 * person is asked about it.
 */
const OLD_LOG = join(import.meta.dirname, 'fixtures/records-version-1.db');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-old-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function recovered() {
  const path = join(folder, 'bulkhead.db');
  copyFileSync(OLD_LOG, path);
  const store = createSqliteSessionStore(path);
  expect(new Set([...store.records('ran', { pos: 0 })].map(({ version }) => version))).toEqual(new Set([1]));
  const stage = sessionStage({ store, replies: [{ text: 'done' }] });
  stage.sessions.recover();
  await stage.settle(10_000);
  return stage;
}

describe('a run whose records are older than intents', () => {
  it('is not known to have done nothing: its call is unknown and is not made again [T8] [FG4]', async () => {
    const stage = await recovered();
    expect(stage.events('ran')).toContainEqual(
      expect.objectContaining({ type: 'action_completed', action: 'action-ran', fate: 'unknown' }),
    );
    expect(stage.calls.filter(({ sessionId }) => sessionId === 'ran')).toEqual([]);
    expect(stage.history('ran').join('\n')).toContain('not known whether it took effect');
    expect(stage.outcomes('ran')).toEqual(['message-ran completed']);
  });

  it('did nothing of what a person was still asked about [T8] [A6]', async () => {
    const stage = await recovered();
    expect(stage.events('asked')).toContainEqual(
      expect.objectContaining({ type: 'action_completed', action: 'action-asked', fate: 'not_executed' }),
    );
    expect(stage.calls.map(({ sessionId, tool }) => [sessionId, tool])).toEqual([['asked', 'bash']]);
  });
});
