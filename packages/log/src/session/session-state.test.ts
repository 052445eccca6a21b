import type { StateName } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { SessionState } from './session-state.ts';

const STATES: readonly StateName[] = ['idle', 'thinking', 'executing', 'compacting', 'aborting', 'error'];

/** As requirement L7 writes it. */
const TABLE =
  'idle→thinking; thinking→executing, idle, compacting, aborting, error; ' +
  'executing→thinking, idle, aborting, error; compacting→thinking, idle, aborting, error; ' +
  'aborting→idle; error→idle';

const allowed = new Set(
  TABLE.split('; ').flatMap((row) => {
    const [from = '', targets = ''] = row.split('→');
    return targets.split(', ').map((to) => `${from} ${to}`);
  }),
);

describe('SessionState', () => {
  it.each(STATES.flatMap((from) => STATES.map((to) => [from, to] as const)))(
    'from %s to %s does what the table says [L7]',
    (from, to) => {
      const state = new SessionState(from);
      if (from === to) expect(state.to(to)).toEqual([]);
      else if (allowed.has(`${from} ${to}`)) {
        expect(state.to(to)).toEqual([{ type: 'state_change', from, to }]);
      } else expect(() => state.to(to)).toThrow(`is ${from} can't become ${to}`);
    },
  );

  it('stays aborting until it is idle [L7]', () => {
    const state = new SessionState('thinking');
    state.to('aborting');
    expect(state.unlessAborting('executing')).toEqual([]);
    expect(state.unlessAborting('error')).toEqual([]);
    expect(state.current).toBe('aborting');
    expect(state.to('idle')).toHaveLength(1);
  });
});
