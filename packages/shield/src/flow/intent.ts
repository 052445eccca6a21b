import type { ToolAnnotation } from '@bulkhead/protocol';
import { EFFECT_WORDS, NAMED_EFFECTS } from './effect-words.ts';
import { sameStem, wordsOf } from './words.ts';

/** Before a word, these make it a noun: "the email", "my order". */
const MAKES_THING: ReadonlySet<string> = new Set(
  'the a an my your his her its our their this that these those any which what unread latest recent of per'.split(
    ' ',
  ),
);

/** Before "to do", these mean a later time, or another person. */
const FOR_LATER =
  /(?:remind(?:er)?(?: me| us| \w+ for \w+ \w+)?|looking|plan|planning|going|hoping|ahead of time|how|where|when|what|easy|able|forget|need (?:for )?me|before i|so i can|i ll|i will|i can|i could|we ll|we will|we can) (?:to )?(?:\w+ )?$/u;

/** A noted task is not executed now: "add a reminder to my calendar to book a table". */
const NOTED_DOWN = /\b(?:remind|reminder|event|calendar|note)\b.* to $/u;

const FORBIDDEN = /(?:don t|do not|never|not to|without|avoid|instead of) (?:\w+ )?$/u;

/** These inform only the person who asks. */
const TO_ASKER = /^(?:tell|let|inform|notify|answer|remind|give|ask|say|show) (?:me|us)\b/u;

/**
 * True if these sentences request the tool's effect: they contain a word of its effect or
 * annotation, or the verb of its name, as an order; not as a noun, for later, or forbidden.
 */
export function asksFor(orders: string, tool: ToolAnnotation): boolean {
  return sentencesAsking(orders, tool).length > 0;
}

/** Returns the sentences that request it. */
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

/** A sentence with such a start asks a question, until an "and" changes to a request. */
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

/** Nouns that make a request: "make a reservation", "add a reminder". */
const NOUNS: ReadonlySet<string> = new Set([
  'reservation',
  'reminder',
  'recurring',
  'standing',
  'refund',
  'transfer',
]);

/** Longest sentence read as an order, in characters; longer ones are text. */
const MAX_SENTENCE = 2_000;

function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?])\s+|\n+|;/u).map((sentence) => sentence.slice(0, MAX_SENTENCE));
}
