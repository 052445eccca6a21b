/** Processors differ, and a busy one is slower at the same work. */
const TOLERANCE = 1.5;

/**
 * Reads `time-budget.txt`.
 *
 * @param text Lines of a name and a number of seconds; what begins with `#` is for people.
 * @returns Seconds by name.
 * @throws Error for a line that is neither.
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
 * Compares what the checks took with what they may take.
 *
 * @param budget Seconds by name of the check.
 * @param spent The same, of the checks that ran.
 * @returns What is wrong, one line each.
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
