/** Processors differ, and a busy one is slower for the same work. */
const TOLERANCE = 1.5;

/**
 * Reads `time-budget.txt`.
 *
 * @param text Lines with a name and a number of seconds; lines with `#` are comments.
 * @returns Seconds by name.
 * @throws Error for any other line.
 */
export function parseBudget(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line): [string, number] => {
      const [, name, seconds] = /^([\w-]+) +(\d+)$/.exec(line) ?? [];
      if (name === undefined || seconds === undefined)
        throw new Error(`time-budget.txt: "${line}" must be a name and a number of seconds`);
      return [name, Number(seconds)];
    }),
  );
}

/**
 * Compares the time of the checks with their budget.
 *
 * @param budget Seconds by name of the check.
 * @param spent The same, of the checks that ran.
 * @returns Problems, one line each.
 */
export function timeProblems(
  budget: ReadonlyMap<string, number>,
  spent: ReadonlyMap<string, number>,
): string[] {
  return [...spent].flatMap(([name, seconds]) => {
    const limit = budget.get(name);
    if (limit === undefined) return [`${name} has no budget`];
    if (seconds <= limit * TOLERANCE) return [];
    return [`${name} took ${seconds.toFixed(0)} s of the processors; its budget is ${limit} s`];
  });
}
