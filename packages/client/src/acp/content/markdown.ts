/*
 * Editors render text as Markdown. A model's text is unchanged; all other foreign text (a command,
 * a file, a tool's output) is escaped so that none of it is Markdown: no link, no image, no line
 * that looks like ours.
 */

/** Foreign text of many lines as a code block that its content can't end. */
export function codeBlock(text: string): string {
  const fence = '`'.repeat(longestRun(text, 2) + 1);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** Foreign text inside a line, as code. @param limit characters; longer text is cut with a mark */
export function inlineCode(text: string, limit = 120): string {
  const line = shown(text);
  const cut = [...line];
  const short = cut.length > limit ? `${cut.slice(0, limit - 1).join('')}…` : line;
  if (short === '') return '';
  const fence = '`'.repeat(longestRun(short, 0) + 1);
  const pad = short.startsWith('`') || short.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${short}${pad}${fence}`;
}

/** One line, with control and direction characters escaped or removed. */
function shown(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/\p{Cc}|\p{Cf}/gu, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return code < 0x80 ? '' : `\\u{${code.toString(16)}}`;
    });
}

/** The longest run of backticks, at least `least`. */
function longestRun(text: string, least: number): number {
  let longest = least;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
