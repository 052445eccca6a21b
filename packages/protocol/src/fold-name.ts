import { CONFUSABLE_CHARACTERS } from './confusable-characters.ts';

/** Invisible or not a character: marks, controls, formats, private use (Mac and Cygwin keep forbidden signs there), broken bytes. */
const DROPPED = /[\p{M}\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\uFFFD]/gu;
const ASCII_ONLY = /^[\x20-\x7e]*$/;

const STANDS_FOR: ReadonlyMap<string, string> = new Map(
  Object.entries(CONFUSABLE_CHARACTERS).flatMap(([plain, codes]) =>
    codes.split(' ').map((code) => [String.fromCodePoint(Number.parseInt(code, 16)), plain] as const),
  ),
);

/**
 * Compares names like the most tolerant file system and reader: case, compatibility forms, marks,
 * invisible characters, characters that look like others (UTS #39), and spaces or dots at the end
 * make no difference (FT12).
 *
 * @param name one component of a path
 */
export function foldName(name: string): string {
  return (ASCII_ONLY.test(name) ? name : plainLetters(name))
    .toLowerCase()
    .replace(/^ +/, '')
    .replace(/[. ]+$/, '');
}

function plainLetters(name: string): string {
  const looked = [...name.normalize('NFKD')]
    .map((character) => STANDS_FOR.get(character) ?? character)
    .join('');
  // Upper case joins letters that lower case keeps apart: ß and ss, long s, the dotless i.
  return looked.replace(DROPPED, '').toUpperCase().normalize('NFKD').replace(DROPPED, '');
}
