/**
 * Fixed texts of the loop. Notes go to the model only and are never part of a run; notices become
 * part of the answer a person reads.
 */

/** Inserted into the model's view after an answer that the output limit cut. */
export const CONTINUATION_NOTE =
  'Your answer was cut off at the output limit. Go on exactly where it stopped; repeat nothing.';

/** Added at the end of the model's view in the last request of a run that used up its rounds. */
export const LIMIT_NOTE =
  'The round limit of this run is reached, so no more tools can be used. Answer now with what you have: ' +
  'say what is done and what is left to do.';

export const CUT_NOTICE = '[The answer was cut off at the output limit.]';
export const EMPTY_NOTICE = '[The model gave an empty answer.]';
export const STILL_CALLING_NOTICE = '[The round limit is reached; the model still wanted to use tools.]';

/** @returns `text` with `notice` as its last paragraph */
export function withNotice(text: string, notice: string): string {
  return text.trim() === '' ? notice : `${text}\n\n${notice}`;
}
