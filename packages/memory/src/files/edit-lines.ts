/**
 * Edits a user's Markdown file byte by byte: all other lines stay unchanged, even if they are not
 * valid UTF-8. Texts have one character per byte.
 */

export interface AddedLines {
  /** Without marks: `Notes`. Added at the end of the file if missing. */
  readonly heading: string;
  /** Whole lines, exactly as written to the file. */
  readonly lines: readonly string[];
  /** The first line of a new file; none if empty. */
  readonly title: string;
}

/** @param before undefined if there is no file */
export function addLines(before: Uint8Array | undefined, { heading, lines, title }: AddedLines): Buffer {
  const text = before === undefined ? bytesOf(title === '' ? '' : `# ${title}\n`) : latin(before);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const added = lines.map((line) => `${bytesOf(line)}${end}`).join('');
  const at = sectionEnd(text, bytesOf(heading));
  if (at !== undefined) {
    const before = text.slice(0, at);
    return binary(`${before}${needsBreak(before) ? end : ''}${added}${text.slice(at)}`);
  }
  const start = `${text}${needsBreak(text) ? end : ''}${/\S/u.test(text) ? end : ''}`;
  return binary(`${start}## ${bytesOf(heading)}${end}${end}${added}`);
}

/** True if lines under this heading would go to an existing section. */
export function hasHeading(before: Uint8Array | undefined, heading: string): boolean {
  return before !== undefined && sectionEnd(latin(before), bytesOf(heading)) !== undefined;
}

/**
 * Replaces the line `line` by `after`; of several, the last.
 *
 * @param after undefined: deletes the line
 * @returns undefined if the line does not exist
 */
export function changeLine(before: Uint8Array, line: string, after: string | undefined): Buffer | undefined {
  const text = latin(before);
  const wanted = bytesOf(line);
  const spans = linesIn(text);
  const found = spans.findLast(({ start, end }) => text.slice(start, end) === wanted);
  if (found === undefined) return undefined;
  const { start, end, next } = found;
  if (after === undefined) return binary(`${text.slice(0, start)}${text.slice(next)}`);
  return binary(`${text.slice(0, start)}${bytesOf(after)}${text.slice(end)}`);
}

interface Span {
  readonly start: number;
  /** Without the line's end. */
  readonly end: number;
  readonly next: number;
}

function linesIn(text: string): Span[] {
  const spans: Span[] = [];
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start);
    const next = feed < 0 ? text.length : feed + 1;
    const bare = feed < 0 ? next : feed;
    spans.push({ start, end: bare > start && text[bare - 1] === '\r' ? bare - 1 : bare, next });
    start = next;
  }
  return spans;
}

/** The position after a section's last non-blank line. Undefined if the heading does not exist. */
function sectionEnd(text: string, heading: string): number | undefined {
  let isFenced = false;
  let level = 0;
  let end: number | undefined;
  for (const span of linesIn(text)) {
    const line = text.slice(span.start, span.end);
    if (/^ {0,3}(?:```|~~~)/u.test(line)) isFenced = !isFenced;
    const found = isFenced ? undefined : headingIn(line);
    if (end !== undefined && found !== undefined && found.level <= level) break;
    if (end === undefined && found?.text === heading) {
      level = found.level;
      end = span.next;
    } else if (end !== undefined && line.trim() !== '') {
      end = span.next;
    }
  }
  return end;
}

/** A longer line is not a heading. */
const MAX_HEADING = 1_000;

function headingIn(line: string): { readonly level: number; readonly text: string } | undefined {
  if (line.length > MAX_HEADING) return undefined;
  const level = /^ {0,3}(#{1,6})[ \t]/u.exec(line)?.[1]?.length;
  if (level === undefined) return undefined;
  const text = line.trim().slice(level).trim().replace(/#+$/u, '').trim();
  return { level, text };
}

function needsBreak(text: string): boolean {
  return text !== '' && !text.endsWith('\n');
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function binary(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
