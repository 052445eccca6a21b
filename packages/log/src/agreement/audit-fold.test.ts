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

/** @param acceptances positions and hashes of the accepted losses that the log has records of */
function foldOf(
  standing: LogStanding,
  entries: readonly FoldedEntry[],
  acceptances: ReadonlyMap<number, string> = new Map(),
): AuditFold {
  const fold = new AuditFold({
    standing: () => standing,
    hasAcceptance: (_session, pos, self) => acceptances.get(pos) === self,
    isOpen: (action) => action === 'a',
  });
  for (const each of entries) fold.read(each);
  return fold;
}

const lossesOf = (standing: LogStanding, ...entries: readonly FoldedEntry[]) =>
  foldOf(standing, entries).losses;

/** A person accepted that a log ends at this position. */
const lossAccepted = (has: number | null): FoldedEntry =>
  entry('LOSS_ACCEPTED', { self: 'x', details: { has }, ...(has === null ? {} : { logged: has }) });

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
    const fold = foldOf(there(4), [
      entry('STARTED', { action: 'a', hash: 'h', details: { nonce: 'n' } }),
      entry('STARTED', { action: 'b', hash: 'h', details: { nonce: 'n' } }),
      entry('RECOVERED', { action: 'b' }),
      // A person's undo is in no session's log.
      entry('STARTED', { action: 'undo', details: { undoes: ['x'] } }),
    ]);
    expect([...fold.begun]).toEqual(['a']);
    expect(fold.losses.size).toBe(0);
  });

  it('counts anew after a deletion, and after an accepted loss that the log has the record of', () => {
    const own = new Map([[3, 'x']]);
    expect(lossesOf(there(2), accepted, entry('SESSION_DELETED')).size).toBe(0);
    expect(foldOf(there(3), [accepted, lossAccepted(2)], own).losses.size).toBe(0);
    expect(lossesOf({ state: 'absent' }, accepted, lossAccepted(null)).size).toBe(0);
    const again = entry('SETTLED', { logged: 5 });
    expect(lossesOf(there(2), accepted, entry('SESSION_DELETED'), again).get('s')).toMatchObject({
      logged: 5,
      messages: [],
    });
    expect(foldOf(there(3), [accepted, lossAccepted(2), again], own).losses.get('s')).toMatchObject({
      logged: 5,
      messages: [],
    });
  });

  it('names what was accepted again where the log lacks the record of that [S4] [FG4]', () => {
    const three = entry('ACCEPTED', { logged: 10, details: { message: 'three', pos: 10 } });
    const four = entry('ACCEPTED', { logged: 20, details: { message: 'four', pos: 20 } });
    const five = entry('ACCEPTED', { logged: 17, details: { message: 'five', pos: 17 } });
    const all = [three, ...started('a', 12), four, ...started('b', 22), lossAccepted(15), five];
    const older = foldOf(there(5), all).losses.get('s');
    expect(older).toMatchObject({ has: 5, messages: ['three', 'four', 'five'] });
    expect(older?.actions.map(({ action }) => action)).toEqual(['a', 'b']);
    // Put back as it was before the decision: the doubts are lost with the record.
    const before = foldOf(there(15), all).losses.get('s');
    expect(before).toMatchObject({ has: 15, messages: ['four', 'five'] });
    expect(before?.actions.map(({ action }) => action)).toEqual(['b']);
    // A copy that went on without the loss has other records at the same positions.
    for (const record of ['other', undefined]) {
      const own = new Map(record === undefined ? [] : [[16, record]]);
      expect(foldOf(there(30), all, own).losses.get('s')).toMatchObject({ has: 30, messages: ['five'] });
    }
  });

  it('keeps what it says of open actions, whether the log has their intents or not [T8]', () => {
    const executed = entry('EXECUTED', { action: 'a', logged: 7 });
    expect(foldOf(there(9), started('a', 6)).steps).toEqual(new Map([['a', 'started']]));
    const done = [...started('a', 6), executed, entry('RECOVERED', { action: 'a' }), ...started('b', 8)];
    expect(foldOf(there(9), done).steps).toEqual(new Map([['a', 'executed']]));
    const failed = done.map((told) => (told === executed ? { ...told, step: 'FAILED' } : told));
    expect(foldOf(there(9), failed).steps).toEqual(new Map([['a', 'failed']]));
    expect(foldOf(there(9), started('a', 6, 'pure')).steps.size).toBe(0);
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
