import { BulkheadError } from '@bulkhead/protocol';
import { dataMarks } from './data-marks.ts';
import { splitArguments } from './split-arguments.ts';

/** Longest arguments, and longest message from a template, in characters. */
const MAX_ARGUMENTS = 32_000;
const MAX_MESSAGE = 400_000;

/** `$$`, `$ARGUMENTS`, `$@`, `$1` … `$9`; a longer number or word is not one of them. */
const PLACE = /\$(?:\$|@|ARGUMENTS(?![A-Za-z0-9_])|[1-9](?![0-9]))/g;

/**
 * Returns the message of a template with its arguments [SK3]: `$1` to `$9` are single ones, `$@`
 * and `$ARGUMENTS` all as typed, `$$` is a dollar sign. Without a place for them, they follow the
 * template's text. Inserted text is marked as data, and is not searched for further places.
 *
 * @param text of the template
 * @param given text typed after its name
 * @throws BulkheadError `usage` if the template needs more arguments than were given, or the
 * message would be too long
 */
export function expandTemplate(name: string, text: string, given: string): string {
  if (given.length > MAX_ARGUMENTS)
    throw usage(`the arguments of /${name} are longer than ${MAX_ARGUMENTS} characters`);
  const words = splitArguments(given);
  const places = [...text.matchAll(PLACE)].map(([place]) => place);
  const needed = Math.max(0, ...places.map((place) => Number(/^\$[1-9]$/.test(place) ? place.slice(1) : 0)));
  if (words.length < needed) {
    throw usage(`/${name} needs ${needed} ${needed === 1 ? 'argument' : 'arguments'}, ${words.length} given`);
  }
  const all = given.trim();
  const contentOf = (place: string): string => {
    if (place === '$$') return '$';
    return dataMarks(/^\$[1-9]$/.test(place) ? (words[Number(place.slice(1)) - 1] ?? '') : all);
  };
  const size = places.reduce((sum, place) => sum + contentOf(place).length, text.length);
  if (size > MAX_MESSAGE) throw usage(`/${name} makes a message longer than ${MAX_MESSAGE} characters`);
  const expanded = text.replaceAll(PLACE, contentOf);
  const isUsed = places.some((place) => place !== '$$');
  return isUsed || all === '' ? expanded : `${expanded}\n\n${dataMarks(all)}`;
}

function usage(message: string): BulkheadError {
  return new BulkheadError('usage', message, {
    fix: 'Words with blanks in them go in quotes: /NAME "first one" second',
  });
}
