/**
 * The form of an answer to a question: a point in time, or a number. Bits, so that a line can have
 * several.
 */
const ANSWER_SHAPE = { time: 1, number: 2 } as const;

const TIME =
  /\b(?:yesterday|today|tonight|tomorrow|last|next|ago|since|weekend|morning|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|in may|of may|\d{1,2}(?:st|nd|rd|th))\b/iu;
const NUMBER =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|dozen|half|once|twice)\b/iu;
const ASKS_TIME = /\b(?:when|what (?:date|day|time)|which (?:date|day|month|year)|how long ago)\b/iu;
const ASKS_NUMBER = /\bhow (?:many|much|old|long|far|often|large|big|tall|heavy|fast|high)\b/iu;

/** The shapes that a line has. */
export function shapesOf(line: string): number {
  return (TIME.test(line) ? ANSWER_SHAPE.time : 0) | (NUMBER.test(line) ? ANSWER_SHAPE.number : 0);
}

/** The shapes that would answer a question; 0 where any would. */
export function shapesAsked(question: string): number {
  return (
    (ASKS_TIME.test(question) ? ANSWER_SHAPE.time : 0) |
    (ASKS_NUMBER.test(question) ? ANSWER_SHAPE.number : 0)
  );
}
