import type { AnswerEnd } from './run-answer.ts';

/** Collects a whole answer. @throws BulkheadError if its run fails */
export async function collected(
  answer: AsyncGenerator<string, AnswerEnd>,
): Promise<{ readonly text: string; readonly end: AnswerEnd }> {
  let text = '';
  for (;;) {
    const next = await answer.next();
    if (next.done === true) return { text, end: next.value };
    text += next.value;
  }
}
