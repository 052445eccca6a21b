import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditSink } from '@bulkhead/audit';
import { BulkheadError, systemClock } from '@bulkhead/protocol';
import { createSqliteSessionStore } from '@bulkhead/sessions';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Loss, lossText } from './loss.ts';
import { LossService } from './loss-service.ts';

type Input = Parameters<AuditSink['append']>[0][number];

const action = { action: 'a', tool: 'bash', hash: 'h', likeness: 'l', step: 'EXECUTED', paths: [] };
const loss: Loss = { logged: 9, has: 1, messages: ['m1'], actions: [action], more: 2 };

let folder: string;
let store: ReturnType<typeof createSqliteSessionStore>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-loss-'));
  store = createSqliteSessionStore(join(folder, 'bulkhead.db'));
  const record = { time: 1, turn: '', type: 'idle', visible: true, body: {} } as const;
  store.createSession({ id: 's', workingFolder: '/w', time: 1 }, { records: [record] });
  store.agreement.noteLosses(new Map([['s', lossText(loss)]]));
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** @param hear receives each entry before it counts as appended */
function opened(hear: (input: Input) => void) {
  const takenUp: string[] = [];
  const audit: AuditSink = {
    append: async (inputs) => {
      for (const input of inputs) hear(input);
      return inputs.map((input, n) => ({ ...input, v: 1, n, time: '', prev: '', self: `self-${n + 1}` }));
    },
  };
  const takeUp = (id: string): void => void takenUp.push(id);
  const service = new LossService({ audit, store: store.agreement, clock: systemClock, takeUp });
  return { service, takenUp };
}

describe('the decision about a session that lost records', () => {
  it('is in the audit log, with all that was named, before the session log ends the loss [S4] [A7]', async () => {
    const heard: Input[] = [];
    const { service, takenUp } = opened((input) => {
      heard.push(input);
      expect(store.lastPos('s')).toBe(1);
      expect(store.agreement.losses().has('s')).toBe(true);
    });
    expect(await service.accept('s')).toContain(
      'lost its records 2 to 9: message m1; action a (bash, EXECUTED)',
    );
    expect(heard).toEqual([
      {
        step: 'LOSS_ACCEPTED',
        action: '',
        hash: '',
        session: 's',
        tool: '',
        details: { logged: 9, has: 1, messages: ['m1'], actions: ['a'], more: 2 },
      },
    ]);
    expect(store.records('s', { pos: 1 })).toMatchObject([
      { pos: 2, type: 'loss_accepted', body: { actions: [{ action: 'a', likeness: 'l' }], audit: 'self-1' } },
    ]);
    expect(store.agreement.losses().size).toBe(0);
    expect(takenUp).toEqual(['s']);
  });

  it('changes nothing without the audit log, nor for a session that lost nothing [S4]', async () => {
    const { service, takenUp } = opened(() => {
      throw new BulkheadError('audit_failed', 'the disk is full');
    });
    await expect(service.accept('s')).rejects.toMatchObject({ code: 'audit_failed' });
    await expect(service.accept('t')).rejects.toMatchObject({ code: 'not_found' });
    expect(service.notices).toEqual([expect.stringContaining('bulkhead sessions accept-loss s')]);
    expect(store.lastPos('s')).toBe(1);
    expect(takenUp).toEqual([]);
  });

  it('takes the beginning of an id, and says which ids may be meant [D4]', async () => {
    const { service } = opened(() => {});
    for (const id of ['abcdef1', 'abcdef2']) {
      store.createSession({ id, workingFolder: '/w', time: 1 }, { records: [] });
      store.agreement.noteLosses(new Map([[id, lossText(loss)]]));
    }
    await expect(service.accept('abcdef')).rejects.toMatchObject({
      code: 'usage',
      message: 'abcdef may be abcdef1 or abcdef2',
    });
    await expect(service.accept('abcde')).rejects.toMatchObject({ code: 'not_found' });
    expect(await service.accept('bcdef2')).toContain('session abcdef2 lost');
  });

  it('is asked for in few lines, however many sessions lost records [D4]', () => {
    const { service } = opened(() => {});
    const ids = Array.from({ length: 9 }, (_, index) => `session-${index}`);
    for (const id of ids) store.createSession({ id, workingFolder: '/w', time: 1 }, { records: [] });
    store.agreement.noteLosses(new Map(ids.map((id) => [id, lossText({ ...loss, has: null })])));
    expect(service.notices).toHaveLength(4);
    expect(service.notices[1]).toContain('say that you know');
    expect(service.notices[3]).toContain('7 more sessions');
  });
});
