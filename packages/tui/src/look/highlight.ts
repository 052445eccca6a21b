import type { Paint, Style } from './style.ts';

const WORDS: Readonly<Record<string, string>> = {
  c: 'auto break case char const continue default do double else enum extern float for goto if int long register return short signed sizeof static struct switch typedef union unsigned void volatile while class namespace public private template using virtual bool true false nullptr',
  js: 'abstract as async await break case catch class const continue default delete do else enum export extends false finally for from function get if implements import in instanceof interface let new null of private protected public readonly return satisfies set static super switch this throw true try type typeof undefined using var void while yield',
  py: 'and as assert async await break class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return True try while with yield',
  go: 'break case chan const continue default defer else fallthrough false for func go goto if import interface map nil package range return select struct switch true type var',
  rs: 'as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while',
  java: 'abstract boolean break byte case catch char class const continue default do double else enum extends false final finally float for if implements import instanceof int interface long new null package private protected public record return short static super switch this throw throws true try var void while',
  sh: 'case do done elif else esac export fi for function if in local return set then unset until while',
  sql: 'ADD ALTER AND AS BETWEEN BY CASE CREATE DELETE DESC DISTINCT DROP ELSE END EXISTS FROM GROUP HAVING IN INDEX INNER INSERT INTO IS JOIN LEFT LIKE LIMIT NOT NULL ON OR ORDER OUTER PRIMARY SELECT SET TABLE THEN UNION UPDATE VALUES WHEN WHERE WITH',
  data: 'true false null yes no on off',
};

interface Language {
  readonly words: ReadonlySet<string>;
  readonly comment: '#' | '//' | '--';
}

const NAMES: Readonly<Record<string, readonly [words: string, comment: Language['comment']]>> = {
  c: ['c', '//'],
  cpp: ['c', '//'],
  h: ['c', '//'],
  js: ['js', '//'],
  javascript: ['js', '//'],
  jsx: ['js', '//'],
  ts: ['js', '//'],
  typescript: ['js', '//'],
  tsx: ['js', '//'],
  json: ['data', '//'],
  py: ['py', '#'],
  python: ['py', '#'],
  go: ['go', '//'],
  rs: ['rs', '//'],
  rust: ['rs', '//'],
  java: ['java', '//'],
  kotlin: ['java', '//'],
  sh: ['sh', '#'],
  bash: ['sh', '#'],
  shell: ['sh', '#'],
  zsh: ['sh', '#'],
  sql: ['sql', '--'],
  yaml: ['data', '#'],
  yml: ['data', '#'],
  toml: ['data', '#'],
};

/** A string, a number or a word; other text is unchanged. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`[^`]*`?|\b\d[\w.]*\b|[A-Za-z_]\w*/g;

/**
 * Lines of code with coloured keywords, strings, numbers and comments; in a diff, added and removed
 * lines. An unknown language is unchanged.
 *
 * @param code inert
 */
export function highlightCode(code: string, name: string | undefined, style: Style): string[] {
  const lines = code.split('\n');
  const wanted = (name ?? '').toLowerCase();
  if (wanted === 'diff' || wanted === 'patch') return lines.map((line) => diffLine(line, style));
  const found = Object.hasOwn(NAMES, wanted) ? NAMES[wanted] : undefined;
  if (found === undefined) return lines.map(style.code);
  const words = new Set((WORDS[found[0]] ?? '').split(' '));
  return lines.map((line) => codeLine(line, { words, comment: found[1] }, style));
}

/** One line of a unified diff. */
export function diffLine(line: string, { added, removed, hunk, dim }: Style): string {
  if (line.startsWith('+')) return added(line);
  if (line.startsWith('-')) return removed(line);
  return line.startsWith('@@') ? hunk(line) : dim(line);
}

function codeLine(line: string, { words, comment }: Language, style: Style): string {
  let painted = '';
  let at = 0;
  for (const { 0: token, index } of line.matchAll(TOKEN)) {
    const between = line.slice(at, index);
    const start = between.indexOf(comment);
    if (start >= 0) return painted + between.slice(0, start) + style.comment(line.slice(at + start));
    painted += between + paintOf(token, words, style)(token);
    at = index + token.length;
  }
  const rest = line.slice(at);
  const start = rest.indexOf(comment);
  return start < 0 ? painted + rest : painted + rest.slice(0, start) + style.comment(rest.slice(start));
}

function paintOf(token: string, words: ReadonlySet<string>, style: Style): Paint {
  if (/^["'`]/.test(token)) return style.string;
  if (/^\d/.test(token)) return style.number;
  return words.has(token) || words.has(token.toUpperCase()) ? style.keyword : (text) => text;
}
