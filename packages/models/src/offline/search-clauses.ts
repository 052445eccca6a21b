import type { ClauseRule } from './clause.ts';
import { cleanWord, findFolder, isHere, looksLikePath } from './path-words.ts';
import { type QuotedText, WORD } from './quoted-text.ts';

const LANGUAGES: Readonly<Record<string, string>> = {
  typescript: 'ts',
  javascript: 'js',
  python: 'py',
  markdown: 'md',
  text: 'txt',
  rust: 'rs',
  golang: 'go',
  ruby: 'rb',
};
const EXTENSIONS =
  /^(?:ts|tsx|js|jsx|mjs|cjs|py|md|txt|json|yaml|yml|toml|html|css|go|rs|rb|java|c|h|cpp|sh|sql|csv|xml|log|proto|png|jpg|svg|pdf)$/;

const WILDCARD = /^(?:find|list|show|locate|get|which|what|where|search)\b/i;
const FILES_OF_KIND =
  /^(?:find|list|show|locate|get)(?: me)?(?: all| every| any)?(?: of)?(?: the)? \.?([a-z]{1,12}) files?\b/i;
const FILES_ENDING = /\bfiles? (?:ending|that end|which end)(?: in| with)? \*?\.?(\w{1,10})\b/i;
const FILES_NAMED = new RegExp(`\\bfiles? (?:named|called) (${WORD})`, 'i');
const LOCATE = new RegExp(`^(?:find|locate|where is)(?: the)?(?: file)? (${WORD})(?: in .+)?$`, 'i');

const TERM = '(?:the )?(?:word |text |string |phrase |term )?(?<term>.+?)';
const PLACE = '(?: (?:in|under|inside|within) (?:.+))?$';
const SEARCHES = [
  new RegExp(
    `^(?:search|grep|look|scan)(?: (?:in|through))? (?:the )?(?:folder |file )?(?<place>${WORD})(?: folder)? for ${TERM}$`,
    'i',
  ),
  new RegExp(`^(?:search|grep|look|scan)(?: for)? ${TERM}${PLACE}`, 'i'),
  new RegExp(`^find (?:all )?(?:occurrences|uses|mentions) of ${TERM}${PLACE}`, 'i'),
  new RegExp(
    `^(?:which|what|find|list|show)(?: all| the)? files? (?:here )?(?:that )?(?:contain|contains|containing|mention|mentions|mentioning|use|uses) ${TERM}${PLACE}`,
    'i',
  ),
  new RegExp(`^where (?:is|are) ${TERM} (?:used|mentioned|defined|called)${PLACE}`, 'i'),
  new RegExp(`^find ${TERM}(?: (?:in|under|inside|within) (?:.+))$`, 'i'),
];

/** Files by name. */
export const findClause: ClauseRule = (clause, quotes) => {
  const pattern = namePattern(clause, quotes);
  return pattern === undefined
    ? undefined
    : { kind: 'find', pattern, path: placeOf(clause, quotes, pattern) };
};

/** Files by content. Text between slashes is a regular expression, other text is literal. */
export const searchClause: ClauseRule = (clause, quotes) => {
  const place = findFolder(clause, quotes);
  for (const form of SEARCHES) {
    const groups = form.exec(clause)?.groups;
    const term = groups?.['term'];
    if (term === undefined) continue;
    const text = quotes.unquote(term).trim();
    if (text === '') return undefined;
    const expression = /^\/(.+)\/$/.exec(text)?.[1];
    const named = groups?.['place'] === undefined ? place : cleanWord(quotes.unquote(groups['place']));
    const path = named === undefined || named === text || isHere(named) ? '.' : named;
    return { kind: 'search', pattern: expression ?? literalPattern(text), path };
  }
  return undefined;
};

function namePattern(clause: string, quotes: QuotedText): string | undefined {
  const words = (clause.match(new RegExp(WORD, 'g')) ?? []).map((word) => cleanWord(quotes.unquote(word)));
  const wildcard = words.find((word) => /[*]/.test(word) && !/\s/.test(word));
  if (wildcard !== undefined && WILDCARD.test(clause)) return wildcard;
  const ending = FILES_ENDING.exec(clause)?.[1];
  if (ending !== undefined) return `*.${ending}`;
  const kind = FILES_OF_KIND.exec(clause)?.[1]?.toLowerCase() ?? '';
  const extension = LANGUAGES[kind] ?? (EXTENSIONS.test(kind) ? kind : undefined);
  if (extension !== undefined) return `*.${extension}`;
  const named = FILES_NAMED.exec(clause)?.[1];
  if (named !== undefined) return cleanWord(quotes.unquote(named));
  const located = LOCATE.exec(clause)?.[1];
  const name = located === undefined ? '' : cleanWord(quotes.unquote(located));
  return looksLikePath(name) ? name : undefined;
}

function placeOf(clause: string, quotes: QuotedText, pattern: string): string {
  const place = findFolder(clause, quotes);
  return place === undefined || place === pattern ? '.' : place;
}

function literalPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
