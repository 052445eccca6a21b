import type { ClauseRule } from './clause.ts';
import { cleanWord, looksLikePath } from './path-words.ts';
import { type QuotedText, WORD } from './quoted-text.ts';

const NEW_FILE = '(?:(?:a|an|the|new|empty|text) )*(?:file )?(?:called |named )?';
const WITH = '(?:with|containing|that (?:says|contains|reads)|which (?:says|contains)|saying|having)';
const CONTENT = '(?:the |a )?(?:content|contents|text|line|word|words)?:? ?';

const PATH_THEN_CONTENT = new RegExp(
  `^(?:create|make|write|save|add) ${NEW_FILE}(${WORD}),? ${WITH} ${CONTENT}(.+)$`,
  'i',
);
const CONTENT_THEN_PATH = new RegExp(
  `^(?:write|put|save|store) (?:the (?:text|word|words|line|content|string) )?(.+?) (?:to|into|in) ${NEW_FILE}(${WORD})$`,
  'i',
);
const APPEND = new RegExp(`^(?:append|add) (.+?) to (?:the end of )?(?:the )?(?:file )?(${WORD})$`, 'i');
const EMPTY_FILE = new RegExp(`^(?:create|make|touch) ${NEW_FILE}(${WORD})$`, 'i');
const EDIT = new RegExp(
  `^(?:in (${WORD}),? )?(?:replace|change|swap|substitute) (?:the (?:word|text|string) )?(.+?) (?:with|to|by|into|for) (.+?)(?: in (?:the )?(?:file )?(${WORD}))?$`,
  'i',
);
const RUN = /^(?:run|execute)(?: (?:the |this )?(?:shell )?command)?:? (.+)$/i;
const NOT_A_COMMAND = /^(?:the|my|all|some|it|this|that|these|those|a|an|your)\b/i;

export const writeClause: ClauseRule = (clause, quotes) => {
  const first = PATH_THEN_CONTENT.exec(clause);
  if (first !== null) return write(first[1], first[2], quotes);
  const second = CONTENT_THEN_PATH.exec(clause);
  if (second !== null) return write(second[2], second[1], quotes);
  const empty = EMPTY_FILE.exec(clause)?.[1];
  return empty === undefined ? undefined : write(empty, '', quotes);
};

export const appendClause: ClauseRule = (clause, quotes) => {
  const match = APPEND.exec(clause);
  if (match === null) return undefined;
  const path = pathOrIt(match[2], quotes);
  return path === null ? undefined : { kind: 'append', path, content: pieceText(match[1] ?? '', quotes) };
};

export const editClause: ClauseRule = (clause, quotes) => {
  const match = EDIT.exec(clause);
  if (match === null) return undefined;
  const path = pathOrIt(match[1] ?? match[4] ?? 'it', quotes);
  if (path === null) return undefined;
  return {
    kind: 'edit',
    path,
    oldText: pieceText(match[2] ?? '', quotes),
    newText: pieceText(match[3] ?? '', quotes),
  };
};

export const runClause: ClauseRule = (clause, quotes) => {
  const rest = RUN.exec(clause)?.[1];
  if (rest === undefined) return undefined;
  const quoted = rest.match(new RegExp(WORD, 'g'))?.find((word) => quotes.isQuoted(word));
  const isQuotedAlone = quoted !== undefined && (rest.startsWith(quoted) || NOT_A_COMMAND.test(rest));
  const command = (isQuotedAlone ? quotes.unquote(quoted) : quotes.requote(rest)).trim();
  if (command === '' || (!isQuotedAlone && NOT_A_COMMAND.test(rest))) return undefined;
  return { kind: 'run', command };
};

/** A piece that is quoted as a whole loses its quotes; quotes inside a piece belong to it. */
function pieceText(piece: string, quotes: QuotedText): string {
  return quotes.isQuoted(piece) ? quotes.unquote(piece) : quotes.requote(piece);
}

function write(
  path: string | undefined,
  content: string | undefined,
  quotes: QuotedText,
): ReturnType<ClauseRule> {
  const name = pathOrIt(path, quotes);
  return typeof name === 'string'
    ? { kind: 'write', path: name, content: pieceText(content ?? '', quotes) }
    : undefined;
}

/** Undefined for "it"; null for a word that names no file. */
function pathOrIt(word: string | undefined, quotes: QuotedText): string | undefined | null {
  if (word === undefined) return null;
  const name = cleanWord(quotes.unquote(word));
  if (/^(?:it|that|the|them)$/i.test(name)) return undefined;
  return name !== '' && (quotes.isQuoted(word) || looksLikePath(name)) ? name : null;
}
