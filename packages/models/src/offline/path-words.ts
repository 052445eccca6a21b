import { type QuotedText, WORD } from './quoted-text.ts';

const BARE_FILE_NAMES =
  /^(readme|license|licence|makefile|dockerfile|changelog|contributing|notice|authors)$/i;
const HERE =
  /^(here|this|current|the|it|that|them|there|folder|directory|file|files|my|working|project|everywhere|all|and|is|for|with|tree|contents?)$/i;
const FILE_LIKE = /^(?:.*\/)?[^/]*[^/.]\.[\w-]{1,10}$|^\.[\w.-]+$/;
const IN_FOLDER = new RegExp(
  `\\b(?:in|of|under|inside|within|from|at)(?: the)?(?: (?:folder|directory))?(?: (?:called|named))? (${WORD})`,
  'gi',
);

const FOLDER_NAMED = new RegExp(`\\b(?:folder|directory)(?: called| named)? (${WORD})`, 'gi');

/** True for words that mean the working folder, or no folder. */
export function isHere(word: string): boolean {
  return HERE.test(word);
}

/** True for words that name a file: with an extension, a slash, or a name known without one. */
export function looksLikePath(word: string): boolean {
  return FILE_LIKE.test(word) || word.includes('/') || BARE_FILE_NAMES.test(word);
}

/**
 * The first word of a clause that names a file or folder; not a wildcard. Undefined if there is
 * none.
 */
export function findPath(clause: string, quotes: QuotedText): string | undefined {
  const words = clause.match(new RegExp(WORD, 'g')) ?? [];
  for (const word of words) {
    const name = cleanWord(quotes.unquote(word));
    if (name !== '' && !/[*?]/.test(name) && !/\s/.test(name) && looksLikePath(name)) return name;
  }
  return undefined;
}

/**
 * The folder of a clause: the word after "in", "of", "under"; undefined for "here" and without a
 * name.
 */
export function findFolder(clause: string, quotes: QuotedText): string | undefined {
  for (const match of [...clause.matchAll(IN_FOLDER), ...clause.matchAll(FOLDER_NAMED)]) {
    const name = cleanWord(quotes.unquote(match[1] ?? ''));
    if (name !== '' && !isHere(name)) return name;
  }
  return findPath(clause, quotes);
}

/** True if the clause means the session's working folder. */
export function saysHere(clause: string): boolean {
  return /\b(here|this (?:folder|directory|project)|(?:current|working) (?:folder|directory))\b/i.test(
    clause,
  );
}

/** A word without the punctuation of the sentence, and without the `@` of file completion. */
export function cleanWord(word: string): string {
  return word
    .replace(/^[("[]+/, '')
    .replace(/^@(?=.)/, '')
    .replace(/[)"\],;:!?]+$/, '')
    .replace(/(?<=[^.])\.$/, '')
    .replace(/'s$/, '');
}
