/**
 * One replacement in a file's bytes, so bytes that aren't UTF-8, a byte order mark and line endings
 * stay unchanged.
 */
export type EditOutcome =
  | {
      readonly kind: 'edited';
      readonly content: Buffer;
      /** Number of the first changed line, from 1. */
      readonly line: number;
      /** True if the texts were given the file's CRLF line endings first. */
      readonly converted: boolean;
    }
  | { readonly kind: 'missing'; readonly hint: string }
  | { readonly kind: 'ambiguous'; readonly count: number; readonly lines: readonly number[] };

const LINE_FEED = 0x0a;
const SHOWN_LINES = 10;

/**
 * Replaces the one place where `oldText` occurs. If it doesn't occur and the file's lines end in
 * CRLF, tries it with CRLF.
 * @param oldText not empty
 */
export function editText(content: Buffer, oldText: string, newText: string): EditOutcome {
  const crlf = endsLinesInCrlf(content);
  const exact = matches(content, Buffer.from(oldText));
  const converted = exact.length === 0 && crlf && oldText.includes('\n');
  const wanted = Buffer.from(converted ? toCrlf(oldText) : oldText);
  const places = converted ? matches(content, wanted) : exact;
  const [place] = places;
  if (place === undefined) return { kind: 'missing', hint: nearestHint(content.toString('utf8'), oldText) };
  if (places.length > 1) {
    const lines = places.slice(0, SHOWN_LINES).map((at) => lineNumber(content, at));
    return { kind: 'ambiguous', count: places.length, lines };
  }
  const replacement = crlf ? toCrlf(newText) : newText;
  return {
    kind: 'edited',
    content: Buffer.concat([
      content.subarray(0, place),
      Buffer.from(replacement),
      content.subarray(place + wanted.length),
    ]),
    line: lineNumber(content, place),
    converted: converted || replacement !== newText,
  };
}

/** All places, including overlapping ones: a text that overlaps itself is not unique. */
function matches(content: Buffer, wanted: Buffer): number[] {
  const places: number[] = [];
  for (let at = content.indexOf(wanted); at >= 0; at = content.indexOf(wanted, at + 1)) places.push(at);
  return places;
}

/** True if the file has line ends and every one of them is CRLF. */
function endsLinesInCrlf(content: Buffer): boolean {
  let seen = false;
  for (let at = content.indexOf(LINE_FEED); at >= 0; at = content.indexOf(LINE_FEED, at + 1)) {
    if (content[at - 1] !== 0x0d) return false;
    seen = true;
  }
  return seen;
}

function toCrlf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}

function lineNumber(content: Buffer, place: number): number {
  let line = 1;
  for (let at = content.indexOf(LINE_FEED); at >= 0 && at < place; at = content.indexOf(LINE_FEED, at + 1))
    line += 1;
  return line;
}

/** Finds a near match, for a model that copied other white space or an older version. */
function nearestHint(text: string, oldText: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const wanted = oldText.split('\n').map((line) => line.trim());
  const lead = wanted.findIndex((line) => line !== '');
  const first = wanted[lead];
  if (first === undefined) return 'it is only white space; add a line of text around it';
  const places = lines.flatMap((line, index) => (line === first ? [index - lead] : []));
  const whole = places.find((place) => wanted.every((line, index) => (lines[place + index] ?? '') === line));
  if (whole !== undefined) return `line ${whole + lead + 1} has it with other white space`;
  const [place] = places;
  if (place !== undefined) {
    const differing = wanted.findIndex((line, index) => (lines[place + index] ?? '') !== line);
    return `its first line is at line ${place + lead + 1}, but line ${place + differing + 1} differs`;
  }
  const partial = lines.findIndex((line) => line.includes(first));
  return partial < 0 ? 'no line of the file resembles its first line' : `line ${partial + 1} has part of it`;
}
