import type { ToolAnnotation } from '@bulkhead/protocol';
import { EFFECT_WORDS, NAMED_EFFECTS } from './effect-words.ts';
import { sameStem, wordsOf } from './words.ts';

/** Before a word, these make a thing of it: "the email", "my order". */
const MAKES_THING: ReadonlySet<string> = new Set(
  'the a an my your his her its our their this that these those any which what unread latest recent of per'.split(
    ' ',
  ),
);

/** Before "to do", these say that it is for later, or for somebody else. */
const FOR_LATER =
  /(?:remind(?:er)?(?: me| us| \w+ for \w+ \w+)?|looking|plan|planning|going|hoping|ahead of time|how|where|when|what|easy|able|forget|need (?:for )?me|before i|so i can|i ll|i will|i can|i could|we ll|we will|we can) (?:to )?(?:\w+ )?$/u;

/** What is noted down to be done is not done now: "add a reminder to my calendar to book a table". */
const NOTED_DOWN = /\b(?:remind|reminder|event|calendar|note)\b.* to $/u;

const FORBIDDEN = /(?:don t|do not|never|not to|without|avoid|instead of) (?:\w+ )?$/u;

/** These tell the person who asks, and nobody else. */
const TO_ASKER = /^(?:tell|let|inform|notify|answer|remind|give|ask|say|show) (?:me|us)\b/u;

/**
 * True if these orders ask for what the tool does: one of the words of its effect, of its annotation or the verb of its
 * name stands there as an order, not as a thing, not for later, not forbidden.
 */
export function asksFor(orders: string, tool: ToolAnnotation): boolean {
  return sentencesAsking(orders, tool).length > 0;
}

/** The sentences of these orders that ask for it. */
export function sentencesAsking(orders: string, tool: ToolAnnotation): readonly string[] {
  const name = wordsOf(tool.tool.replaceAll(/([a-z])([A-Z])/gu, '$1 $2').replaceAll('_', ' '));
  const own = [...(tool.words ?? []), ...name.slice(0, 1)];
  const verbs = new Set([...EFFECT_WORDS[tool.effect], ...own]);
  const words = wordsOf(orders);
  if (NAMED_EFFECTS.has(tool.effect)) {
    const things = [...name.slice(1), ...(tool.words ?? [])];
    if (!words.some((word) => things.some((thing) => sameStem(word, thing)))) return [];
  }
  return sentencesOf(orders).filter((sentence) => isOrdered(wordsOf(sentence), verbs));
}

/** A sentence that begins so asks what is, until an "and" turns to what should be. */
const QUESTION =
  /^(?:what|when|where|who|whose|which|why|how|is|are|was|were|does|did|has|had) (?!.*\b(?:and|then|please|also) )/u;

function isOrdered(words: readonly string[], verbs: ReadonlySet<string>): boolean {
  return words.some((word, index) => {
    if (!verbs.has(word)) return false;
    const before = words.slice(Math.max(0, index - 6), index);
    if (MAKES_THING.has(before.at(-1) ?? '') && !NOUNS.has(word)) return false;
    const lead = `${before.join(' ')} `;
    if (QUESTION.test(`${words.slice(0, index).join(' ')} `)) return false;
    if (FOR_LATER.test(lead) || FORBIDDEN.test(lead)) return false;
    if (NOTED_DOWN.test(`${words.slice(Math.max(0, index - 30), index).join(' ')} `)) return false;
    const after = words.slice(index, index + 10);
    return !TO_ASKER.test(after.join(' ')) && !after.includes('later');
  });
}

/** Words that ask as things: "make a reservation", "add a reminder". */
const NOUNS: ReadonlySet<string> = new Set([
  'reservation',
  'reminder',
  'recurring',
  'standing',
  'refund',
  'transfer',
]);

/** Longest sentence that is read as an order, in characters: what is longer is a text. */
const MAX_SENTENCE = 2_000;

function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?])\s+|\n+|;/u).map((sentence) => sentence.slice(0, MAX_SENTENCE));
}
