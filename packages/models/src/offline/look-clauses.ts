import type { ClauseRule } from './clause.ts';
import type { Intent, ReadPart } from './intent.ts';
import { cleanWord, findFolder, findPath, looksLikePath, saysHere } from './path-words.ts';
import { type QuotedText, WORD } from './quoted-text.ts';

const DEFAULT_LINES = 10;
const MOST_LINES = 2_000;
const NUMBERS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  twenty: 20,
};

const PART = /\b(first|top|last|final|bottom)(?: (\d{1,9}|[a-z]+))? ?lines?\b/i;
const START_OR_END = /\b(?:its|the) (beginning|start|head|end|tail)\b|^(head|tail)\b/i;
const COUNT =
  /\bhow many (lines|words|characters|chars)\b|\bcount (?:the |its )?(?:number of )?(lines|words|characters)\b|\bnumber of (lines|words|characters)\b|\b(line|word) count\b/i;
const READ =
  /^(?:read|show|open|cat|print|display|view|see|look at|type|give me|tell me|what does|what is in|what's in|summari[sz]e|explain)\b/i;
const READ_ANY_WORD = new RegExp(`^(?:read|cat|open)(?: the)?(?: file)? (${WORD})$`, 'i');
const IT = /\b(?:it|its|that file|this file|the file|them)\b/i;
const LIST =
  /^(?:list|ls|show|display|give|tell|what|which|see|print|dir)\b.*\b(?:files?|folders?|director(?:y|ies)|entries|contents?|everything|here)\b/i;
const LIST_ANY_WORD = new RegExp(
  `^(?:list|ls|dir|what is in|what's in|show)(?: the)?(?: folder| directory)?(?: (${WORD}))?$`,
  'i',
);

export const rankClause: ClauseRule = (clause, quotes) => {
  const word = /\b(largest|biggest|heaviest|smallest|tiniest)\b/i.exec(clause)?.[1]?.toLowerCase();
  if (word === undefined) return undefined;
  const order = word === 'smallest' || word === 'tiniest' ? 'smallest' : 'largest';
  return { kind: 'rank', order, path: folderOrIt(clause, quotes) };
};

export const countClause: ClauseRule = (clause, quotes) => {
  if (/\bhow many (?:files|folders|entries|things)\b/i.test(clause)) {
    return { kind: 'count-files', path: folderOrIt(clause, quotes) };
  }
  const match = COUNT.exec(clause);
  if (match === null) return undefined;
  const word =
    match
      .slice(1)
      .find((group) => group !== undefined)
      ?.toLowerCase() ?? 'lines';
  const unit = word.startsWith('line') ? 'lines' : word.startsWith('word') ? 'words' : 'characters';
  return { kind: 'count', unit, path: findPath(clause, quotes) };
};

export const partClause: ClauseRule = (clause, quotes) => {
  const part = partOf(clause);
  return part === undefined ? undefined : { kind: 'read', part, path: findPath(clause, quotes) };
};

export const readClause: ClauseRule = (clause, quotes) => {
  const any = READ_ANY_WORD.exec(clause)?.[1];
  const path = READ.test(clause) ? findPath(clause, quotes) : undefined;
  if (path !== undefined && !path.endsWith('/')) return { kind: 'read', path, part: { kind: 'whole' } };
  if (any !== undefined && !IT.test(any))
    return { kind: 'read', path: cleanWord(quotes.unquote(any)), part: { kind: 'whole' } };
  return READ.test(clause) && IT.test(clause) && !LIST.test(clause)
    ? { kind: 'read', path: undefined, part: { kind: 'whole' } }
    : undefined;
};

export const listClause: ClauseRule = (clause, quotes) => {
  if (LIST.test(clause)) return { kind: 'list', path: folderOrIt(clause, quotes) ?? '.' };
  const match = LIST_ANY_WORD.exec(clause);
  if (match === null) return undefined;
  const word = match[1] === undefined ? '.' : cleanWord(quotes.unquote(match[1]));
  const isFolder = /^(?:list|ls|dir|what)\b/i.test(clause) || word.endsWith('/') || looksLikePath(word);
  return isFolder ? listOf(word) : undefined;
};

function listOf(word: string): Intent {
  return { kind: 'list', path: /^(?:here|it|all|everything|-\w+)$/i.test(word) ? '.' : word };
}

function folderOrIt(clause: string, quotes: QuotedText): string | undefined {
  return findFolder(clause, quotes) ?? (saysHere(clause) ? '.' : undefined);
}

function partOf(clause: string): ReadPart | undefined {
  const match = PART.exec(clause);
  const side = (
    match?.[1] ??
    START_OR_END.exec(clause)
      ?.slice(1)
      .find((group) => group !== undefined)
  )?.toLowerCase();
  if (side === undefined) return undefined;
  const word = match?.[2]?.toLowerCase() ?? '';
  const asked = /^\d+$/.test(word)
    ? Number(word)
    : (NUMBERS[word] ?? (/\bline\b/i.test(match?.[0] ?? '') ? 1 : DEFAULT_LINES));
  const lines = Math.min(MOST_LINES, Math.max(1, asked));
  return { kind: ['last', 'final', 'bottom', 'end', 'tail'].includes(side) ? 'last' : 'first', lines };
}
