/** Processors do some kinds of work better than others, and a busy one is slower for the same work. */
const TOLERANCE = 2;

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
 * Compares the time of the checks with their budget. The machine's speed is the median of time by
 * budget over all checks: a slower machine slows them all, one part that grew stands out. On a
 * faster machine the budget counts as it is. A check that runs alone has nothing to be compared with.
 *
 * @param budget Seconds by name of the check.
 * @param spent The same, of the checks that ran.
 * @returns Problems, one line each.
 */
export function timeProblems(
  budget: ReadonlyMap<string, number>,
  spent: ReadonlyMap<string, number>,
): string[] {
  const slowness = machineSlowness(budget, spent);
  return [...spent].flatMap(([name, seconds]) => {
    const limit = budget.get(name);
    if (limit === undefined) return [`${name} has no budget`];
    if (seconds <= limit * slowness * TOLERANCE) return [];
    const here = slowness === 1 ? '' : ` (${(limit * slowness).toFixed(0)} s on this machine)`;
    return [`${name} took ${seconds.toFixed(0)} s of the processors; its budget is ${limit} s${here}`];
  });
}

/**
 * Returns how many times slower this machine is than the budget's, at least 1.
 *
 * @param budget Seconds by name of the check.
 * @param spent The same, of the checks that ran.
 */
export function machineSlowness(
  budget: ReadonlyMap<string, number>,
  spent: ReadonlyMap<string, number>,
): number {
  const ratios = [...spent].flatMap(([name, seconds]) => {
    const limit = budget.get(name);
    return limit === undefined ? [] : [seconds / limit];
  });
  // The lower one of two in the middle, so that one of two checks that grew still stands out.
  const median = ratios.toSorted((a, b) => a - b)[Math.floor((ratios.length - 1) / 2)] ?? 1;
  return Math.max(1, median);
}
