import type { AnswerEnd } from './run-answer.ts';

/**
 * The answer up to the first of these sequences, without it. The end of each text is held back as
 * long as it may be the start of one. At a sequence the answer is ended, which cancels its run.
 *
 * @param sequences not empty
 */
export async function* untilSequence(
  answer: AsyncGenerator<string, AnswerEnd>,
  sequences: readonly string[],
): AsyncGenerator<string, AnswerEnd> {
  let held = '';
  try {
    for (;;) {
      const next = await answer.next();
      if (next.done === true) {
        if (held !== '') yield held;
        return next.value;
      }
      held += next.value;
      const at = firstOf(held, sequences);
      if (at >= 0) {
        if (at > 0) yield held.slice(0, at);
        return { finish: 'stop' };
      }
      const keep = mayBegin(held, sequences);
      const ready = held.slice(0, held.length - keep);
      held = held.slice(held.length - keep);
      if (ready !== '') yield ready;
    }
  } finally {
    await answer.return({ finish: 'stop' });
  }
}

/** @returns -1 if there is none */
function firstOf(text: string, sequences: readonly string[]): number {
  const found = sequences.map((one) => text.indexOf(one)).filter((at) => at >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}

/** Length of the longest end of the text that a sequence begins with. */
function mayBegin(text: string, sequences: readonly string[]): number {
  let longest = 0;
  for (const one of sequences) {
    for (let length = Math.min(one.length - 1, text.length); length > longest; length -= 1) {
      if (text.endsWith(one.slice(0, length))) longest = length;
    }
  }
  return longest;
}
