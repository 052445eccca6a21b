import { describe, expect, it } from 'vitest';
import { grammarProblems } from './event-grammar.ts';
import { numbered, SAMPLE_RUNS, type Scripted } from './sample-runs.ts';

const accepted = (bodies: readonly Scripted[]): boolean => grammarProblems(numbered(bodies)).length === 0;

describe.each(Object.entries(SAMPLE_RUNS))('a session with events in order (%s)', (_name, run) => {
  it('is accepted', () => {
    expect(grammarProblems(numbered(run))).toEqual([]);
  });

  it('is refused if any event is missing', () => {
    const missed = run.filter((_, index) => accepted(run.toSpliced(index, 1)));
    expect(missed.filter((body) => !isUneventful(body))).toEqual([]);
  });

  it('is refused if any event comes twice', () => {
    const missed = run.filter((body, index) => accepted(run.toSpliced(index, 0, body)));
    // Going idle once more tells nothing wrong.
    expect(missed.filter((body) => !isUneventful(body)).map(({ type }) => type)).toEqual(['idle']);
  });

  it('is refused if any two events change places', () => {
    const swapped = run.slice(1).map((body, index) => ({
      bodies: run.toSpliced(index, 2, body, ...run.slice(index, index + 1)),
      index,
    }));
    const missed = swapped.filter(({ bodies }) => accepted(bodies));
    const pairs = missed.map(({ index }) => run.slice(index, index + 2));
    expect(pairs.filter((pair) => !pair.some(isUneventful) && !mayComeAnyTime(pair))).toEqual([]);
  });
});

/** An engine may end at any time, more than once, and leave nothing open: then only its word says so. */
function isUneventful(body: Scripted): boolean {
  return body.type === 'run_resumed' && body.executed + body.notExecuted + body.unknown === 0;
}

/** A message may be sent, and wait, at any time of a run. */
function mayComeAnyTime(pair: readonly Scripted[]): boolean {
  return pair.filter(({ type, turn }) => type === 'queue_update' && turn === '').length === 1;
}

it('sees gaps and repetitions in the numbers', () => {
  const events = numbered(SAMPLE_RUNS.PLAIN);
  expect(grammarProblems(events, { firstSeq: 2 })).not.toEqual([]);
  expect(
    grammarProblems(events.map((event, index) => (index > 9 ? { ...event, seq: event.seq + 1 } : event))),
  ).toEqual([expect.stringContaining('seq is not')]);
});
