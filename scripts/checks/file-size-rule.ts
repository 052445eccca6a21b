const LIMIT = 500;
const EXPLAIN_OVER = 300;

/** A file that may be longer than 300 lines, with the reason. */
export interface SizeException {
  readonly path: string;
  /** `YYYY-MM-DD`. */
  readonly since: string;
  readonly reason: string;
}

/**
 * Reads the list of exceptions: one per line, `YYYY-MM-DD path reason`; empty lines and `#`
 * comments are skipped.
 *
 * @returns The entries, and a problem for each invalid line.
 */
export function parseExceptions(text: string): {
  readonly entries: SizeException[];
  readonly problems: string[];
} {
  const entries: SizeException[] = [];
  const problems: string[] = [];
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const match = /^(?<since>\d{4}-\d{2}-\d{2})\s+(?<path>\S+)\s+(?<reason>\S.{9,})$/.exec(line);
    const { since, path, reason } = match?.groups ?? {};
    if (since === undefined || path === undefined || reason === undefined) {
      problems.push(`an exception is written \`YYYY-MM-DD path reason\`, not: ${line}`);
    } else {
      entries.push({ path, since, reason });
    }
  }
  return { entries, problems };
}

/**
 * @param sizes All source files with their number of lines.
 * @param exceptions The parsed list.
 * @returns Problems, one line each.
 */
export function sizeProblems(
  sizes: readonly { readonly path: string; readonly lines: number }[],
  exceptions: ReturnType<typeof parseExceptions>,
): string[] {
  const excused = new Set(exceptions.entries.map((entry) => entry.path));
  const long = sizes.filter((size) => size.lines > EXPLAIN_OVER);
  const needed = new Set(long.map((size) => size.path));
  return [
    ...exceptions.problems,
    ...long
      .filter((size) => size.lines > LIMIT)
      .map((size) => `${size.path} has ${size.lines} lines; no file may have more than ${LIMIT}`),
    ...long
      .filter((size) => size.lines <= LIMIT && !excused.has(size.path))
      .map((size) => `${size.path} has ${size.lines} lines; more than ${EXPLAIN_OVER} need a dated reason`),
    ...exceptions.entries
      .filter((entry) => !needed.has(entry.path))
      .map((entry) => `${entry.path} needs no exception any more; remove its line`),
  ];
}
