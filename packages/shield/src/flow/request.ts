import type { ToolAnnotation } from '@bulkhead/protocol';
import {
  hostOfUrl,
  type Identifier,
  type IdentifierType,
  identifierOf,
  identifiersIn,
  normalUrl,
} from './identifiers.ts';
import { sentencesAsking } from './intent.ts';
import { fold, spacedWords, tellingWords, wordsOf } from './words.ts';

/**
 * The user's words in this session, read once for all rules. Quoted passages carry values, never
 * intent.
 */
export interface UserRequest {
  /** All words, quoted ones too, with a space at both ends. */
  readonly spaced: string;
  readonly telling: readonly string[];
  /** The user's instructions, without quoted passages. */
  readonly orders: string;
  readonly identifiers: readonly Identifier[];
  readonly numbers: readonly number[];
  /** Dates in the text, as `YYYY-MM-DD`; `MM-DD` without a year. */
  readonly days: readonly string[];
  /** Quoted passages, folded. */
  readonly quoted: readonly string[];
}

export function readRequest(texts: readonly string[]): UserRequest {
  const text = texts.join('\n');
  const { orders, quoted } = splitQuoted(text);
  return {
    spaced: spacedWords(text),
    telling: tellingWords(text),
    orders,
    identifiers: identifiersIn(text),
    numbers: numbersIn(text),
    days: daysIn(text),
    quoted: quoted.map(spacedWords),
  };
}

const QUOTED =
  /"([^"]*)"|“([^”]*)”|«([^»]*)»|‘([^’]*)’|(?<![\p{L}\p{N}])'([^'\n]{1,2000})'(?![\p{L}\p{N}])|`([^`]*)`/gu;

/** After "the following …:", the rest of the paragraph is a text to pass on. */
const FOLLOWING = /\bfollowing\b[^:\n]{0,120}:[^\n]*/giu;

function splitQuoted(text: string): { readonly orders: string; readonly quoted: readonly string[] } {
  const quoted: string[] = [];
  const orders = text.replaceAll(QUOTED, (whole: string, ...groups: unknown[]) => {
    const passage = groups.find((group) => typeof group === 'string' && group !== whole);
    const text = typeof passage === 'string' ? passage : whole;
    quoted.push(text);
    return ` " ${identifiersIn(text)
      .map((identifier) => identifier.text)
      .join(' ')} `;
  });
  return { orders: orders.replaceAll(FOLLOWING, (whole) => (isTaskList(whole) ? whole : ' " ')), quoted };
}

function isTaskList(text: string): boolean {
  return /\bfollowing\s+(?:\w+\s+)?(?:tasks?|steps?|actions?|things|things?|order|instructions?)\b/iu.test(
    text,
  );
}

/**
 * True if the user's own words hold the whole value. An address must be separate, not part of
 * another.
 */
export function isSaid(request: UserRequest, value: string): boolean {
  const identifier = identifierOf(value.trim());
  if (identifier !== undefined && identifier.type !== 'handle') return saysIdentifier(request, identifier);
  if (/^\s*\d{1,6}\s*$/u.test(value)) return saysNumberOf(request, value.trim());
  const words = spacedWords(value);
  return tellingWords(value).length > 0 && request.spaced.includes(words);
}

/**
 * True if the user's words name exactly this: a whole quoted passage, or words that are not part of
 * a longer name. "Tell the channel team-food" does not name a channel `team`.
 */
export function isNamed(request: UserRequest, value: string): boolean {
  if (!isSaid(request, value)) return false;
  const identifier = identifierOf(value.trim());
  if (identifier !== undefined || /^\s*\d+\s*$/u.test(value)) return true;
  if (request.quoted.includes(spacedWords(value))) return true;
  const wanted = fold(value).trim().replaceAll(/\s+/gu, ' ');
  const text = fold(request.orders).replaceAll(/\s+/gu, ' ');
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + wanted.length] ?? ' '}`;
    if (!/[\p{L}\p{N}_@/-]/u.test(around)) return true;
  }
  // Punctuation may differ: "Cafe Bar" for "Café-Bar". A single word has none.
  return wordsOf(value).length > 1 && spacedWords(request.orders).includes(spacedWords(value));
}

function saysIdentifier(request: UserRequest, { type, normal }: Identifier): boolean {
  return request.identifiers.some((said) => said.normal === normal && (said.type === type || type !== 'url'));
}

/**
 * A short number names a thing only in such a form: `event 24`, `#7`. As a day or an amount it
 * doesn't.
 */
function saysNumberOf(request: UserRequest, digits: string): boolean {
  const before =
    'id|ids|number|no|nr|event|file|message|email|mail|ticket|issue|pr|request|transaction|order|item|task|job|row';
  return new RegExp(` (?:${before}) 0*${digits} `, 'u').test(request.spaced);
}

/** True if the user named the host of this URL, or an address at it. */
export function saysHost(request: UserRequest, url: string): boolean {
  const host = hostOfUrl(normalUrl(url));
  return request.identifiers.some(({ type, normal }) => type === 'url' && hostOfUrl(normal) === host);
}

/**
 * True if every request for this contains an explicit address of this type: then no other is to be
 * looked up. "Mail anna@home.example what Tom wrote" sends nothing to Tom.
 */
export function closesType(request: UserRequest, tool: ToolAnnotation, type: IdentifierType): boolean {
  const asking = sentencesAsking(request.orders, tool);
  return (
    asking.length > 0 &&
    asking.every((sentence) => identifiersIn(sentence).some((said) => said.type === type))
  );
}

/** Numbers as people write amounts: `1,200.50`, `98.70`, `5`. */
export function numbersIn(text: string): readonly number[] {
  const plain = text.replaceAll(/\d{4}-\d{2}-\d{2}(?:[T ][\d:.]*)?/gu, ' ');
  return [...plain.matchAll(/(?<![\p{L}\p{N}.-])\d{1,12}(?:,\d{3})*(?:\.\d{1,4})?(?![\p{L}\p{N}-])/gu)].map(
    ([number]) => Number(number.replaceAll(',', '')),
  );
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

/** Days as people write them: `2024-05-15`, `May 15th, 2024`, `15 May`. */
export function daysIn(text: string): readonly string[] {
  const days = [...text.matchAll(/\b(\d{4}-\d{2}-\d{2})\b/gu)].map(([day]) => day);
  const words = wordsOf(fold(text));
  for (const [index, word] of words.entries()) {
    const month = MONTHS.findIndex((name) => name === word || (word.length === 3 && name.startsWith(word)));
    if (month === -1) continue;
    for (const [number, year] of [
      [words[index + 1], words[index + 2]],
      [words[index - 1], words[index + 1]],
    ]) {
      const day = Number(/^(\d{1,2})(?:st|nd|rd|th)?$/u.exec(number ?? '')?.[1]);
      if (!(day >= 1 && day <= 31)) continue;
      const date = `${String(month + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
      days.push(/^\d{4}$/u.test(year ?? '') ? `${year}-${date}` : date);
    }
  }
  return days;
}
