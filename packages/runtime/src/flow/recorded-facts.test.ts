import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOf } from '@bulkhead/protocol/records';
import { createMemorySessionStore } from '@bulkhead/sessions';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FOREIGN, flowStage } from '../testing/flow-stage.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-facts-')));
  mkdirSync(join(folder, 'Downloads'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the recorded results of an action', () => {
  it('is read from the log after a restart, wherever its links lead by then [F2]', async () => {
    const store = createMemorySessionStore();
    const link = join(folder, 'link');
    symlinkSync(FOREIGN, link);
    let session = '';
    {
      const replies = [{ calls: [['read', { path: 'link' }] as const] }];
      using one = flowStage(join(folder, 'flow.db'), { store, replies });
      session = one.sessions.create(folder);
      await one.say(session, 'What does it say?');
      expect(one.flows.labelOf(session).trust).toBe('external');
      const [note] = [...store.records(session, { pos: 0 })].filter(isOf('action_facts'));
      expect(note?.body.workingFolder).toBe(folder);
      one.labels.sessions.set(session, undefined);
    }
    unlinkSync(link);
    symlinkSync('plain', link);
    using two = flowStage(join(folder, 'flow.db'), { store });
    expect(two.flows.labelOf(session).trust).toBe('external');
    const [action = ''] = two.actions(session);
    expect(two.flows.explain(session, action)?.call.metadata?.paths).toContainEqual({
      path: join(folder, FOREIGN),
      access: 'read',
    });
  });
});
