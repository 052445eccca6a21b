import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { resultOf } from './result.ts';

const BUDGET = 'scripts/checks/time-budget.txt';

/**
 * The checks stay quick. Measures processor time, which depends least on other work of the machine.
 */
export const time: Check = {
  name: 'time',
  mend: `Make the part that is named quicker, or move a sweep to \`npm run proof\`; a number in ${BUDGET} only falls.`,
  async run({ root, cpuSeconds }) {
    const budget = parseBudget(await readFile(join(root, BUDGET), 'utf8'));
    const spent = [...cpuSeconds.values()].reduce((sum, seconds) => sum + seconds, 0);
    return resultOf(timeProblems(budget, cpuSeconds), `${spent.toFixed(0)} s of the processors`);
  },
};

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
