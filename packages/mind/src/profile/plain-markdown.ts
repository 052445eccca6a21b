/** Marks around a word or a line that only matter to an eye. Each stops at the next of its kind: linear in the text. */
const NOISE: readonly (readonly [RegExp, string])[] = [
  [/!\[([^[\]\n]*)\]\([^()\n]*\)/g, '$1'],
  [/\[([^[\]\n]*)\]\(([^()\s]*)\)/g, '$1 ($2)'],
  [/\*\*([^*\n]+)\*\*/g, '$1'],
  [/__([^_\n]+)__/g, '$1'],
  [/~~([^~\n]+)~~/g, '$1'],
  [/(?<![\w*])\*([^*\s][^*\n]*)\*(?![\w*])/g, '$1'],
  [/(?<![\w_])_([^_\s][^_\n]*)_(?![\w_])/g, '$1'],
  [/`([^`\n]+)`/g, '$1'],
];

/**
 * A Markdown text as plain lines: without the signs of headings, emphasis, fences, rules, table
 * frames and comments; links as `text (address)`. Keeps the content and never gets longer [C2].
 */
export function plainMarkdown(text: string): string {
  const lines = withoutComments(text.replace(/\r\n?/g, '\n')).split('\n').flatMap(plainLine);
  return lines
    .filter((line, at) => line !== '' || (lines[at - 1] ?? '') !== '')
    .join('\n')
    .trim();
}

/** One that isn't closed is a text like any other. */
function withoutComments(text: string): string {
  let result = '';
  let kept = 0;
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', kept)) {
    const end = text.indexOf('-->', start + 4);
    if (end < 0) break;
    result += text.slice(kept, start);
    kept = end + 3;
  }
  return result + text.slice(kept);
}

/** @returns no line for what only draws */
function plainLine(line: string): string[] {
  const text = line.trimEnd();
  if (/^\s*(```|~~~)/.test(text) || isRule(text)) return [];
  const bare = text
    .replace(/^ {0,3}#{1,6} +/, '')
    .replace(/ #+$/, '')
    .replace(/^( {0,3}>)+ ?/, '')
    .replace(/^(\s*)[*+] /, '$1- ');
  return [NOISE.reduce((result, [mark, plain]) => result.replace(mark, plain), withoutFrame(bare)).trimEnd()];
}

/** A line of nothing but signs that draw: a rule, or the line below a table's head. */
function isRule(text: string): boolean {
  const signs = text.replaceAll(' ', '');
  return /^(-{3,}|\*{3,}|_{3,}|={3,})$/.test(signs) || (/^[|:-]+$/.test(signs) && signs.includes('--'));
}

function withoutFrame(line: string): string {
  const row = line.trim();
  if (row.length < 3 || !row.startsWith('|') || !row.endsWith('|')) return line;
  return row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
    .join(' | ');
}
