import type { EffectKind, ToolAnnotation } from '@bulkhead/protocol';
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
 * The sentences that request the tool's effect: those that contain a word of its effect or
 * annotation, or the verb of its name, as an order; not as a noun, for later, or forbidden.
 */
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

const list = (text: string): readonly string[] => text.trim().split(/\s+/u);

/**
 * The imperative words for each class of effect. One list per class, from the class's meaning
 * alone; a tool's own words come from its name and annotation. `read`, `delegate` and `remember`
 * change nothing outside and `fetch` is judged by its destination, so they need no words.
 */
const EFFECT_WORDS: Readonly<Record<EffectKind, readonly string[]>> = {
  read: [],
  fetch: [],
  delegate: [],
  remember: [],
  send: list(`send mail email message dm write reply respond answer forward tell notify inform text ping ask let contact post
    congratulate remind invite drop pass deliver`),
  share: list('share give grant add invite allow permit open forward'),
  publish: list('publish post upload push tweet announce release deploy submit share put write'),
  pay: list(
    `pay transfer send refund reimburse wire settle donate buy purchase order tip repay give cover top forward`,
  ),
  book: list('book reserve reservation order buy rent arrange hire'),
  create:
    list(`create add make set schedule write draft generate put save start prepare reminder remind plan build compose
    open register note block book record new enter log`),
  change:
    list(`change update edit modify move reschedule rename append add replace fix correct set adjust mark archive shift
    postpone extend increase decrease reduce raise complete put insert delay bring push write revise rewrite amend`),
  delete: list('delete remove erase clear cancel drop trash discard unsubscribe kick clean purge wipe call'),
  execute: list(
    'run execute install build test start compile deploy launch download fetch push pull clone check',
  ),
  schedule: list('schedule every daily weekly monthly hourly remind recurring repeat automate regularly'),
  configure: list('configure set enable disable change turn switch update adjust'),
  account: list('change update reset set register sign create open close edit correct'),
};

/**
 * Classes with very common words, so the object must be named, too: by `words` and the tool's name.
 */
const NAMED_EFFECTS: ReadonlySet<EffectKind> = new Set<EffectKind>(['account', 'configure']);
