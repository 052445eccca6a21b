import type { LogStanding } from '@bulkhead/sessions';
import { describe, expect, it } from 'vitest';
import { AuditFold, type FoldedEntry } from './audit-fold.ts';
import { describeLoss, lossText, readLoss } from './loss.ts';

const there = (lastPos: number): LogStanding => ({ state: 'there', lastPos });

function entry(step: string, fields: Partial<FoldedEntry> = {}): FoldedEntry {
  return { step, action: '', hash: '', session: 's', tool: '', details: {}, ...fields };
}

const started = (action: string, logged: number, effect = 'once'): readonly FoldedEntry[] => [
  entry('PROPOSED', {
    action,
    hash: `h-${action}`,
    tool: 'bash',
    logged: logged - 1,
    details: { paths: ['write /w/x'] },
  }),
  entry('STARTED', {
    action,
    hash: `h-${action}`,
    tool: 'bash',
    logged,
    details: { nonce: 'n', effect, likeness: `l-${action}` },
  }),
];

function lossesOf(standing: LogStanding, ...entries: readonly FoldedEntry[]) {
  const fold = new AuditFold(() => standing);
  for (const each of entries) fold.read(each);
  return fold.losses;
}

describe('the comparison of the audit log with a session log', () => {
  const accepted = entry('ACCEPTED', { logged: 3, details: { message: 'm1', pos: 3 } });

  it('accuses no log that holds all that is named [S4]', () => {
    const all = [accepted, ...started('a', 6), entry('EXECUTED', { action: 'a', logged: 7 })];
    for (const lastPos of [7, 8, 100]) expect(lossesOf(there(lastPos), ...all).size).toBe(0);
    for (const state of ['deleted', 'damaged'] as const) expect(lossesOf({ state }, ...all).size).toBe(0);
  });

  it('names the messages and actions that a shorter log lost [S4] [FG4]', () => {
    const all = [
      accepted,
      ...started('a', 6),
      ...started('p', 7, 'pure'),
      entry('EXECUTED', { action: 'a', logged: 9 }),
    ];
    const lost = {
      action: 'a',
      tool: 'bash',
      hash: 'h-a',
      likeness: 'l-a',
      step: 'EXECUTED',
      paths: ['write /w/x'],
    };
    expect(lossesOf(there(2), ...all).get('s')).toEqual({
      logged: 9,
      has: 2,
      messages: ['m1'],
      actions: [lost],
      more: 0,
    });
    expect(lossesOf(there(5), ...all).get('s')).toMatchObject({ messages: [], actions: [lost] });
    // The log has the intent: recovery finds out what became of it.
    expect(lossesOf(there(6), ...all).get('s')).toMatchObject({ logged: 9, has: 6, actions: [] });
    expect(lossesOf({ state: 'absent' }, ...all).get('s')).toMatchObject({ has: null, messages: ['m1'] });
  });

  it('ignores what is off the record, and entries of versions that recorded no positions', () => {
    const old = [entry('PROPOSED', { action: 'a', hash: 'h' }), entry('EXECUTED', { action: 'a' })];
    expect(lossesOf({ state: 'absent' }, ...old).size).toBe(0);
    expect(lossesOf(there(0), ...old).size).toBe(0);
  });

  it('knows actions of earlier versions that were begun and have no end', () => {
    const fold = new AuditFold(() => there(4));
    fold.read(entry('STARTED', { action: 'a', hash: 'h', details: { nonce: 'n' } }));
    fold.read(entry('STARTED', { action: 'b', hash: 'h', details: { nonce: 'n' } }));
    fold.read(entry('RECOVERED', { action: 'b' }));
    // A person's undo is in no session's log.
    fold.read(entry('STARTED', { action: 'undo', details: { undoes: ['x'] } }));
    expect([...fold.begun]).toEqual(['a']);
    expect(fold.losses.size).toBe(0);
  });

  it('counts anew after a person has accepted a loss, and after a deletion', () => {
    for (const end of ['LOSS_ACCEPTED', 'SESSION_DELETED']) {
      expect(lossesOf(there(2), accepted, entry(end, { logged: 2 })).size).toBe(0);
      const again = entry('SETTLED', { logged: 5 });
      expect(lossesOf(there(2), accepted, entry(end), again).get('s')).toMatchObject({
        logged: 5,
        messages: [],
      });
    }
  });

  it('names a bounded number and tells how many more there are', () => {
    const many = Array.from({ length: 500 }, (_, n) =>
      entry('ACCEPTED', { logged: n + 1, details: { message: `m${n}`, pos: n + 1 } }),
    );
    const loss = lossesOf({ state: 'absent' }, ...many).get('s');
    expect(loss?.messages).toHaveLength(200);
    expect(loss?.more).toBe(300);
    expect(readLoss(lossText(loss ?? never()))).toMatchObject(loss ?? never());
    expect(describeLoss('s', loss)).toMatch(/^session s is missing as a whole .* 300 more$/);
    expect(readLoss('{"v":2}')).toBeUndefined();
  });
});

function never(): never {
  throw new Error('there is no loss');
}
