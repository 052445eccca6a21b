import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { runProgram } from './run-program.ts';
import { processorsFile, readTestRun, reportFile } from './test-results.ts';

/**
 * A check that runs projects of the test runner and counts their cases.
 *
 * @param name Name of the check, and of its report.
 * @param projects Names in `vitest.config.ts`.
 * @param timeoutMs Bound on the whole run, for one that hangs: far more than it takes on a slow machine.
 */
export function testProject(
  name: string,
  projects: readonly string[],
  mend: string,
  timeoutMs: number,
): Check {
  return {
    name,
    mend,
    async run({ root, results, env, signal, endBy }) {
      const report = reportFile(results, name);
      const running = join(results, `${name}.running`);
      await rm(report, { force: true });
      await rm(running, { force: true });
      await rm(processorsFile(results, name), { force: true });
      const args = [
        'run',
        ...projects.flatMap((project) => ['--project', project]),
        '--reporter=default',
        '--reporter=json',
        `--reporter=${join(import.meta.dirname, 'running-reporter.ts')}`,
        `--outputFile.json=${report}`,
      ];
      const program = await runProgram(join(root, 'node_modules', '.bin', 'vitest'), args, {
        cwd: root,
        env: {
          ...env,
          BULKHEAD_RUNNING_FILE: running,
          BULKHEAD_PROCESSORS_FILE: processorsFile(results, name),
        },
        signal,
        timeoutMs: Math.max(1, Math.min(timeoutMs, endBy - performance.now())),
      });
      const run = await readTestRun(root, results, name);
      if (run === undefined) {
        const cut = await readFile(running, 'utf8').catch(() => 'No test file has started.\n');
        const output = `${withoutPasses(program.output)}\nCut before its end.\n${cut}`;
        return { passed: 0, failed: 1, skipped: 0, output };
      }
      const count = (status: string) => run.cases.filter((one) => one.status === status).length;
      const passed = count('passed');
      const failedCases = count('failed') + run.brokenFiles.length;
      // An error outside of all cases, or a run without cases, is a failure too.
      const failed = failedCases === 0 && (program.code !== 0 || passed === 0) ? 1 : failedCases;
      const skipped = run.cases.length - passed - count('failed');
      return {
        passed,
        failed,
        skipped,
        output: withoutPasses(program.output),
        note: `${run.cases.length} cases`,
        cpuSeconds: program.cpuSeconds,
      };
    },
  };
}

/** Passed cases are counted; failed ones are listed first. */
function withoutPasses(output: string): string {
  return output
    .split('\n')
    .filter((line) => !/^\s*[✓↓] /.test(line))
    .join('\n');
}
