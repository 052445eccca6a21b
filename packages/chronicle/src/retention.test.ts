import { describe, expect, it } from 'vitest';
import { expired } from './retention.ts';

const DAY = 86_400_000;
const none = { snapshots: 1_000, days: 30, maxBytes: 1e12 };

/** Answers, newest first: for each action the contents it needs. */
function kept(...answers: readonly (readonly string[])[]) {
  return answers.flatMap((actions, answer) =>
    actions.map((hashes, index) => ({
      id: `${answer}.${index}`,
      run: `run ${answer}`,
      session: 's',
      changed: 9,
      state: 'done' as const,
      confirmed: 100 * DAY - answer * DAY,
      hashes: hashes.split(' '),
    })),
  );
}

const gone = (snapshots: ReturnType<typeof kept>, limits: Partial<typeof none>) =>
  expired(snapshots, { ...none, ...limits }, (hash) => Number(hash.slice(1)), 100 * DAY);

describe('kept snapshots [U2]', () => {
  it('is bounded by number, whole answers at a time', () => {
    const answers = kept(['a1', 'b1'], ['c1', 'd1'], ['e1']);
    expect(gone(answers, { snapshots: 4 })).toEqual(['2.0']);
    expect(gone(answers, { snapshots: 3 })).toEqual(['1.0', '1.1', '2.0']);
  });

  it('is bounded by bytes: the oldest answers go first, also a small one behind a large one', () => {
    const answers = kept(['a10'], ['b50', 'c20'], ['d1']);
    expect(gone(answers, { maxBytes: 81 })).toEqual([]);
    expect(gone(answers, { maxBytes: 80 })).toEqual(['2.0']);
    expect(gone(answers, { maxBytes: 79 })).toEqual(['1.0', '1.1', '2.0']);
  });

  it('of a session is not used up by others: who uses most gives way first', () => {
    const answers = kept(['a10'], ['b20'], ['c30'], ['d40'], ['e50']);
    const shared = answers.map((one, at) => ({ ...one, session: at === 4 ? 'quiet' : 'busy' }));
    expect(gone(shared, { snapshots: 2 })).toEqual(['2.0', '3.0']);
    expect(gone(shared, { maxBytes: 90 })).toEqual(['2.0', '3.0']);
    expect(gone(shared, { maxBytes: 50 })).toEqual(['2.0', '3.0', '4.0']);
  });

  it('is a large loss, however many small actions come after it', () => {
    const answers = kept(['s1'], ['s2'], ['s3'], ['l90'], ['m90']).map((one, at) =>
      at < 3 ? one : { ...one, lost: 200 },
    );
    expect(gone(answers, { snapshots: 2, maxBytes: 180 })).toEqual(['2.0']);
    expect(gone(answers, { maxBytes: 3 })).toEqual(['2.0', '3.0', '4.0']);
    expect(gone(answers, { maxBytes: 90 })).toEqual(['4.0']);
    expect(gone(answers, { snapshots: 1 })).toEqual(['1.0', '2.0', '4.0']);
  });

  it('is a loss that a person was asked about, whatever others lose unasked', () => {
    const many = kept(
      Array.from({ length: 50 }, () => 'a1'),
      Array.from({ length: 50 }, () => 'b1'),
      ['l90'],
      ['m9'],
    ).map((one) => (one.run < 'run 2' ? { ...one, lost: 1 } : { ...one, lost: 60, allowed: true as const }));
    expect(gone(many, { snapshots: 100 }).filter((id) => !id.startsWith('1.'))).toEqual([]);
    expect(gone(many, { snapshots: 1 }).at(-1)).toBe('3.0');
    const asked = many.map((one) => (one.id === '2.0' ? { ...one, lost: 9 } : one));
    expect(gone(asked, { snapshots: 100 }).filter((id) => !id.startsWith('1.'))).toEqual([]);
    // Of the session itself, too: the newest answer is no reason, however much it takes.
    const junk = kept(['j500'], ['l90']).map((one, at) => ({ ...one, lost: at === 0 ? 10 : 60 }));
    expect(gone(junk, { maxBytes: 100 })).toEqual([]);
  });

  it.each([{}, { lost: 10 }, { lost: 60 }])(
    'never goes for the newest answer of another session: %j',
    (loss) => {
      const answers = kept(['x500'], ['l90'], ['m9']).map((one, at) => ({
        ...one,
        ...loss,
        session: at === 0 ? 'other' : 's',
      }));
      expect(gone(answers, { maxBytes: 100 })).toEqual([]);
      expect(gone(answers, { maxBytes: 98 })).toEqual(['2.0']);
      const open = answers.map((one, at) =>
        at === 1 ? { ...one, session: 'third', state: 'open' as const } : one,
      );
      const bytesOf = (hash: string) => Number(hash.slice(1));
      expect(expired(open, { ...none, maxBytes: 50 }, bytesOf, 100 * DAY)).toEqual([]);
    },
  );

  it('is by tens of small actions of an answer, so that they are as one', () => {
    const many = kept(
      Array.from({ length: 40 }, (_, at) => `a${at}`),
      ['b1'],
      ['c1'],
    );
    const small = many.map((one) => ({ ...one, changed: 1 }));
    expect(gone(small, { snapshots: 6 })).toEqual([]);
    expect(gone(small, { snapshots: 5 })).toEqual(['2.0']);
  });

  it('is bounded for all sessions together', () => {
    const answers = kept(...Array.from({ length: 12 }, (_, at) => [`a${at}`])).map((one, at) => ({
      ...one,
      session: String(at),
    }));
    expect(gone(answers, { snapshots: 1 })).toEqual(expect.objectContaining({ length: 1 }));
  });

  it('counts a content once, however many snapshots need it', () => {
    expect(gone(kept(['a60'], ['a60', 'a60 b1']), { maxBytes: 61 })).toEqual([]);
  });

  it('is always the newest answer, however much it takes', () => {
    expect(gone(kept(['a90', 'b90'], ['c1']), { maxBytes: 10, snapshots: 1 })).toEqual(['1.0']);
  });

  it('goes by age with the newest of its actions', () => {
    expect(gone(kept(['a1'], ['b1'], ['c1']), { days: 1 })).toEqual(['2.0']);
  });

  it('is an answer of which an action goes on', () => {
    const answers = kept(['a1'], ['b1', 'c1']).map((one) =>
      one.id === '1.1' ? { ...one, state: 'open' as const } : one,
    );
    expect(expired(answers, { ...none, snapshots: 1 }, () => 1, 100 * DAY)).toEqual([]);
  });

  it('a rollback is an answer of its own', () => {
    const rollbacks = kept(['a1'], ['b1']).map((one) => ({ ...one, run: '' }));
    expect(expired(rollbacks, { ...none, snapshots: 1 }, () => 1, 100 * DAY)).toEqual(['1.0']);
  });
});
