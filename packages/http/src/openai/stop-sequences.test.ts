import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AnswerEnd } from './run-answer.ts';
import { untilSequence } from './stop-sequences.ts';

/** The texts that a client receives, the end, and whether the answer was ended early. */
async function received(pieces: readonly string[], sequences: readonly string[]) {
  let isEnded = false;
  async function* answer(): AsyncGenerator<string, AnswerEnd> {
    try {
      yield* pieces;
      return { finish: 'length' };
    } finally {
      isEnded = true;
    }
  }
  const texts: string[] = [];
  const limited = untilSequence(answer(), sequences);
  for (;;) {
    const next = await limited.next();
    if (next.done === true) return { text: texts.join(''), texts, end: next.value, isEnded };
    texts.push(next.value);
  }
}

it('ends the answer before the first sequence, also one that comes in pieces', async () => {
  expect(await received(['one EN', 'D two'], ['END'])).toMatchObject({
    text: 'one ',
    end: { finish: 'stop' },
    isEnded: true,
  });
  expect(await received(['ab', 'c'], ['c', 'bc'])).toMatchObject({ text: 'a', end: { finish: 'stop' } });
  expect(await received(['END'], ['END'])).toMatchObject({ texts: [], end: { finish: 'stop' } });
});

it('changes nothing of an answer without a sequence, and holds back only what may begin one', async () => {
  const result = await received(['one ', 'EN', ' two E'], ['END']);
  expect(result).toMatchObject({ text: 'one EN two E', end: { finish: 'length' } });
  expect(result.texts[0]).toBe('one ');
});

it('is the text before the first sequence, whatever the pieces', async () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 4 });
  const sequence = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(letters),
      fc.array(sequence, { minLength: 1, maxLength: 3 }),
      async (pieces, all) => {
        const whole = pieces.join('');
        const at = Math.min(...all.map((one) => (whole.includes(one) ? whole.indexOf(one) : whole.length)));
        expect((await received(pieces, all)).text).toBe(whole.slice(0, at));
      },
    ),
    { seed: 17, numRuns: 300 },
  );
});
