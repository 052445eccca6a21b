import { visibleText } from '@bulkhead/protocol';
/** A line of a unified diff. */
export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'same' | 'place' | 'name';
  readonly text: string;
  /** Number in the text before, and after; undefined if the line doesn't exist there. */
  readonly before?: number;
  readonly after?: number;
}

const PLACE = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/**
 * Reads a unified diff, leniently: any other line is shown unchanged. Makes invisible characters
 * visible.
 */
export function diffLines(diff: string): readonly DiffLine[] {
  let before = 0;
  let after = 0;
  let inside = false;
  const lines = visibleText(diff.replace(/\n$/, '')).split('\n');
  return lines.map((line): DiffLine => {
    const place = PLACE.exec(line);
    if (place !== null) {
      inside = true;
      before = Number(place[1]);
      after = Number(place[2]);
      return { kind: 'place', text: line };
    }
    if (!inside) return { kind: 'name', text: line };
    const text = line.slice(1);
    if (line.startsWith('+')) return { kind: 'added', text, after: after++ };
    if (line.startsWith('-')) return { kind: 'removed', text, before: before++ };
    if (line.startsWith('\\')) return { kind: 'place', text: line };
    return { kind: 'same', text, before: before++, after: after++ };
  });
}
