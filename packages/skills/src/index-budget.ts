/** Characters per token, a low estimate for prose. */
const CHARACTERS_PER_TOKEN = 4;

/** Longest text of a line in an index, in characters. */
const MAX_LINE = 300;

/** One line of an index. */
export interface IndexLine {
  readonly name: string;
  readonly text: string;
}

/** The part of an index that fits. */
export interface FittedIndex<Line extends IndexLine> {
  readonly lines: readonly Line[];
  readonly leftOut: number;
}

/**
 * Fits an index into a budget: first shortens long texts, then drops texts from the end, then whole
 * lines. The same input gives the same bytes.
 *
 * @param lines the most important first
 * @param tokens room for all lines together
 */
export function fitIndex<Line extends IndexLine>(lines: readonly Line[], tokens: number): FittedIndex<Line> {
  const room = tokens * CHARACTERS_PER_TOKEN;
  const cut = lines.map((line) => ({ ...line, text: cutAt(line.text, MAX_LINE) }));
  const names = cut.map((line) => ({ ...line, text: '' }));
  const kept = fitting(names, room);
  let left = room - sizeOf(names.slice(0, kept));
  const fitted: Line[] = [];
  for (const line of cut.slice(0, kept)) {
    const fits = line.text.length <= left;
    if (fits) left -= line.text.length;
    fitted.push(fits ? line : { ...line, text: '' });
  }
  return { lines: fitted, leftOut: lines.length - kept };
}

/** Returns how many lines from the start fit. */
function fitting(lines: readonly IndexLine[], room: number): number {
  let left = room;
  const over = lines.findIndex((line) => {
    left -= sizeOf([line]);
    return left < 0;
  });
  return over < 0 ? lines.length : over;
}

/** Includes dash, colon, blanks and line break. */
function sizeOf(lines: readonly IndexLine[]): number {
  return lines.reduce((sum, { name, text }) => sum + name.length + text.length + 5, 0);
}

function cutAt(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
