import { describe, expect, it } from 'vitest';
import { RunFilter } from './run-events.ts';

function judgeAll(...events: readonly [type: string, turn: string, message?: string][]): string[] {
  const filter = new RunFilter('mine');
  return events.map(([type, turn, message = '']) => filter.judge({ type, turn, message }));
}

describe('RunFilter', () => {
  it('takes the run of the message to its idle', () => {
    expect(
      judgeAll(['agent_start', 'r1', 'mine'], ['text_delta', 'r1'], ['settled', 'r1', 'mine'], ['idle', '']),
    ).toEqual(['belongs', 'belongs', 'belongs', 'last']);
  });

  it('leaves out the run before it and its idle', () => {
    expect(
      judgeAll(
        ['text_delta', 'r0'],
        ['settled', 'r0', 'other'],
        ['idle', ''],
        ['agent_start', 'r1', 'mine'],
        ['state_change', ''],
        ['tool_call', 'r0'],
      ),
    ).toEqual(['skip', 'skip', 'skip', 'belongs', 'belongs', 'skip']);
  });

  it('ends where the next run starts', () => {
    const places = judgeAll(
      ['agent_start', 'r1', 'mine'],
      ['settled', 'r1', 'mine'],
      ['agent_start', 'r2', 'other'],
    );
    expect(places).toEqual(['belongs', 'belongs', 'past']);
  });

  it('takes the end of a message that was merged into another run', () => {
    const places = judgeAll(['agent_start', 'r0', 'other'], ['settled', 'r0', 'mine'], ['idle', '']);
    expect(places).toEqual(['skip', 'belongs', 'last']);
  });
});
