import type { AuditedFate, OpenAction } from '@bulkhead/log/agreement/open-actions';
import type { ActionFate } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { recordedFate } from './action-fate.ts';

type Intent = NonNullable<OpenAction['intent']>;

function openAction(intent: Partial<Intent>): OpenAction {
  const whole: Intent = {
    pos: 5,
    effect: 'once',
    changes: [],
    likeness: '',
    transaction: false,
    ...intent,
  };
  return { action: 'a', call: 'c', hash: 'h', tool: 'bash', intentsKept: true, intent: whole };
}

const command = openAction({ transaction: true });
const edit = openAction({ changes: [{ path: 'f', before: 'x', after: 'y' }] });

function fate(action: OpenAction, ledger: ActionFate | undefined, told: AuditedFate | undefined) {
  const audited = new Map(told === undefined ? [] : [['a', told] as const]);
  return recordedFate(action, { fateOf: () => ledger, recorded: () => {} }, audited);
}

describe('the fate of an action that a crash left open', () => {
  it.each<[AuditedFate | undefined, ActionFate]>([
    ['not_started', 'not_executed'],
    ['started', 'not_executed'],
    ['failed', 'unknown'],
    ['executed', 'executed'],
    [undefined, 'unknown'],
  ])(
    'is told by the audit log where a command left nothing behind: %s, so %s [T8] [FG4]',
    (told, expected) => {
      expect(fate(command, undefined, told)).toBe(expected);
    },
  );

  it('follows from the traces of a command, unless the audit log says EXECUTED [T8] [FG5]', () => {
    for (const ledger of ['executed', 'not_executed', 'unknown'] as const) {
      expect(fate(command, ledger, 'started')).toBe(ledger);
      expect(fate(command, ledger, undefined)).toBe(ledger);
      expect(fate(command, ledger, 'executed')).toBe('executed');
    }
    expect(fate(edit, undefined, 'executed')).toBe('executed');
    expect(fate(edit, undefined, 'started')).toBeUndefined();
  });
});
