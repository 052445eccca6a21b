/** A piece of code; plain without a kind. */
export interface CodePiece {
  readonly text: string;
  readonly kind?: 'comment' | 'string' | 'number' | 'keyword';
}

/** Longer code has no colours: every piece is an element. */
const LONGEST = 20_000;

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'and as async await break case catch class const continue def default delete do elif else enum except export extends false final ' +
    'finally fn for from func function if impl import in interface is let match mod mut namespace new nil none not null of or package ' +
    'pass private protected pub public raise return self static struct super switch then this throw trait true try type typeof union ' +
    'unless use using var void where while with yield echo exit fi done esac local select insert update create table values set'
  ).split(' '),
);

const PIECE =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(?<=^|\s)#[^\n]*|(?<=^|\s)--\s[^\n]*|<!--[\s\S]*?(?:-->|$))|(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|(?<number>\b\d[\w.]*\b)|(?<word>\b[a-zA-Z_]\w*\b)/g;

/**
 * Colours that fit most languages: comments, strings, numbers, and words that are keywords
 * somewhere. They help reading but need not be exact.
 */
export function highlight(code: string): readonly CodePiece[] {
  if (code.length > LONGEST) return [{ text: code }];
  const pieces: CodePiece[] = [];
  let plain = 0;
  for (const match of code.matchAll(PIECE)) {
    const kind = kindOf(match.groups ?? {});
    if (kind === undefined) continue;
    if (match.index > plain) pieces.push({ text: code.slice(plain, match.index) });
    pieces.push({ text: match[0], kind });
    plain = match.index + match[0].length;
  }
  if (plain < code.length) pieces.push({ text: code.slice(plain) });
  return pieces;
}

function kindOf(groups: Readonly<Record<string, string | undefined>>): CodePiece['kind'] {
  if (groups['comment'] !== undefined) return 'comment';
  if (groups['string'] !== undefined) return 'string';
  if (groups['number'] !== undefined) return 'number';
  return KEYWORDS.has(groups['word']?.toLowerCase() ?? '') ? 'keyword' : undefined;
}
