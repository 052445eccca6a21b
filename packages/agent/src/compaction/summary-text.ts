import { oneLine } from './one-line.ts';
import { EMPTY_OUTLINE, type Outline, SECTION_LIMITS, SECTION_NAMES, type SectionName } from './outline.ts';

/** Heading of the person's words behind a summary. */
const QUOTE_HEADING = 'Asked, word for word';

/**
 * The text of an outline. The first characters of a line give its kind, so content can't look like
 * a heading: headings begin with `## `, lines with `- `.
 */
export function renderOutline(sections: Outline['sections']): string {
  const blocks = SECTION_NAMES.flatMap((name) => {
    const lines = sections.get(name) ?? [];
    return lines.length === 0 ? [] : [[`## ${name}`, ...lines.map((line) => `- ${line}`)].join('\n')];
  });
  return blocks.join('\n\n');
}

/**
 * A summary, followed by the words that are being worked on, in lines that begin with `> `, for
 * `parseOutline`.
 */
export function withAsked(summary: string, asked: readonly string[]): string {
  return asked.length === 0 ? summary : [summary, `## ${QUOTE_HEADING}`, ...asked.map(quote)].join('\n\n');
}

/**
 * Reads what `renderOutline` and `withAsked` wrote; of any other text, the parts that look like it.
 */
export function parseOutline(text: string): Outline {
  const sections = new Map<SectionName, string[]>();
  const quoted: string[] = [];
  for (const block of text.split(/^## /m)) {
    const [heading = '', ...body] = block.split('\n');
    if (heading.trim() === QUOTE_HEADING) quoted.push(...quotesIn(body));
    const name = SECTION_NAMES.find((known) => known === heading.trim());
    if (name === undefined) continue;
    const lines = sections.get(name) ?? [];
    sections.set(name, lines);
    for (const line of body) if (line.startsWith('- ')) addLine(lines, line.slice(2));
  }
  return { sections, quoted };
}

/** Messages, each a block of quoted lines; an empty line of a message is quoted too. */
function quotesIn(lines: readonly string[]): readonly string[] {
  return lines
    .join('\n')
    .split(/\n(?!> )[^\n]*/)
    .flatMap((block) => {
      const words = block.split('\n').filter((line) => line.startsWith('> '));
      return words.length === 0 ? [] : [words.map((line) => line.slice(2)).join('\n')];
    });
}

function quote(message: string): string {
  return message
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

/** Only for a line without doubled blanks: otherwise it could take extremely long. */
const HEADING = /^(?:#{1,6} ?|\*\*)(?:\d+[.)] ?)?([A-Za-z][A-Za-z ,]*?) ?:? ?(?:\*\*)? ?:? ?#*$/;
const LONGEST_HEADING = 80;
const NOTHING = /^(?:none|nothing|n\/a|-)[.!]?$/i;

/**
 * Reads a model's answer, which is data: only requested headings count; other lines belong to their
 * section. The parts that code writes (files, quoted words) are never taken from a model.
 *
 * @param wanted requested headings
 * @returns undefined if it has none of them
 */
export function readAnswer(text: string, wanted: readonly SectionName[]): Outline | undefined {
  const sections = new Map<SectionName, string[]>();
  let lines: string[] | undefined;
  for (const line of text.split('\n')) {
    const heading = headingIn(line);
    const name = heading === undefined ? undefined : wanted.find((known) => known.toLowerCase() === heading);
    if (name !== undefined) {
      lines = sections.get(name) ?? [];
      sections.set(name, lines);
      continue;
    }
    const words = line.replace(/^[\s#>*•-]+/, '').trim();
    if (lines !== undefined && words !== '' && !NOTHING.test(words)) addLine(lines, words);
  }
  return sections.size === 0 ? undefined : { ...EMPTY_OUTLINE, sections };
}

function headingIn(line: string): string | undefined {
  const plain = line
    .slice(0, 4 * LONGEST_HEADING)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const isShort = plain.length <= LONGEST_HEADING && line.length <= 4 * LONGEST_HEADING;
  return isShort ? HEADING.exec(plain)?.[1]?.toLowerCase() : undefined;
}

function addLine(lines: string[], words: string): void {
  const line = oneLine(words, SECTION_LIMITS.line);
  if (line !== '' && lines.length < SECTION_LIMITS.lines) lines.push(line);
}
