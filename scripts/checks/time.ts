import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { longestFiles } from '../tests/processor-time.ts';
import type { Check } from './check.ts';
import { resultOf } from './result.ts';
import { processorsFile } from './test-results.ts';
import { machineSlowness, parseBudget, timeProblems } from './time-rule.ts';

const BUDGET = 'scripts/checks/time-budget.txt';

/**
 * The checks stay quick. Measures processor time, which depends least on other work of the machine,
 * and holds each check against the others, so that a slow machine fails none.
 */
export const time: Check = {
  name: 'time',
  mend: `Make the part that is named quicker, or move a sweep to \`npm run proof\`; a number in ${BUDGET} only falls.`,
  async run({ root, results, cpuSeconds }) {
    const budget = parseBudget(await readFile(join(root, BUDGET), 'utf8'));
    const spent = [...cpuSeconds.values()].reduce((sum, seconds) => sum + seconds, 0);
    const note = `${spent.toFixed(0)} s of the processors, ${machineSlowness(budget, cpuSeconds).toFixed(1)} times the budget`;
    const problems = await Promise.all(
      timeProblems(budget, cpuSeconds).map(async (problem) => {
        const [name = ''] = problem.split(' ');
        return [problem, ...(await longest(results, name))];
      }),
    );
    return resultOf(problems.flat(), note);
  },
};

/** The test files that took most, if the check runs such. */
async function longest(results: string, name: string): Promise<string[]> {
  const text = await readFile(processorsFile(results, name), 'utf8').catch(() => '');
  return longestFiles(text, 10).map((line) => `  ${line}`);
}
