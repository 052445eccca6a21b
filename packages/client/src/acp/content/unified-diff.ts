import { isAbsolute, join } from 'node:path';

/** One changed place of a file. */
export interface ChangedPlace {
  /** Absolute. */
  readonly path: string;
  /** First line of it in the new file, from 1. */
  readonly line: number;
  /** Null for a new file. */
  readonly oldText: string | null;
  readonly newText: string;
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * The changed places in a unified diff of one file.
 *
 * @param diff as a tool shows it to people
 * @param folder base of its path
 * @returns undefined unless it is a complete diff: part of a change must not look like all of it
 */
export function changedPlaces(diff: string, folder: string): readonly ChangedPlace[] | undefined {
  const lines = diff.replace(/\n$/, '').split('\n');
  const start = lines.findIndex((line) => line.startsWith('--- '));
  const [before = '', after = ''] = lines.slice(start, start + 2);
  if (start < 0 || !after.startsWith('+++ b/')) return undefined;
  const named = after.slice('+++ b/'.length).replace(/\t.*$/, '');
  const path = isAbsolute(named) ? named : join(folder, named);
  const isNew = before.startsWith('--- /dev/null');
  const places: ChangedPlace[] = [];
  let at = start + 2;
  while (at < lines.length) {
    const hunk = readHunk(lines, at);
    if (hunk === undefined) return undefined;
    places.push({ path, line: hunk.line, oldText: isNew ? null : hunk.oldText, newText: hunk.newText });
    at = hunk.end;
  }
  return places.length === 0 ? undefined : places;
}

interface Hunk {
  readonly line: number;
  readonly oldText: string;
  readonly newText: string;
  readonly end: number;
}

/** @returns undefined unless the lines match the numbers in its head exactly */
function readHunk(lines: readonly string[], at: number): Hunk | undefined {
  const head = HUNK.exec(lines[at] ?? '');
  if (head === null) return undefined;
  const next = lines.findIndex((line, index) => index > at && line.startsWith('@@'));
  const end = next < 0 ? lines.length : next;
  // A line that begins with a backslash says that the previous line has no line end.
  const body = lines.slice(at + 1, end).filter((line) => !line.startsWith('\\'));
  const old = body.filter((line) => line.startsWith(' ') || line.startsWith('-'));
  const fresh = body.filter((line) => line.startsWith(' ') || line.startsWith('+'));
  const whole = old.length === Number(head[1] ?? 1) && fresh.length === Number(head[3] ?? 1);
  if (!whole || body.some((line) => !/^[ +-]/.test(line))) return undefined;
  return { line: Math.max(1, Number(head[2])), oldText: joined(old), newText: joined(fresh), end };
}

/** @param lines including their signs */
function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line.slice(1)}\n`).join('');
}
