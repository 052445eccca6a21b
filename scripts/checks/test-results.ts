import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** One test case that ran. */
export interface TestCase {
  /** Below the root of the checkout. */
  readonly file: string;
  /** Titles of its groups and its own. */
  readonly title: string;
  readonly status: string;
}

/** The report of one run of the test runner. */
export interface TestRun {
  readonly cases: readonly TestCase[];
  /** Files that failed without a failed case: they could not be loaded. */
  readonly brokenFiles: readonly string[];
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Path of a test project's report. */
export function reportFile(results: string, project: string): string {
  return join(results, `${project}.json`);
}

/** Path of the file that says what each test file of a project took of the processors. */
export function processorsFile(results: string, project: string): string {
  return join(results, `${project}.processors`);
}

/**
 * Reads the report that vitest's JSON reporter has written.
 *
 * @returns undefined if the report doesn't exist.
 */
export async function readTestRun(
  root: string,
  results: string,
  project: string,
): Promise<TestRun | undefined> {
  let text: string;
  try {
    text = await readFile(reportFile(results, project), 'utf8');
  } catch {
    return undefined;
  }
  const report: Report = JSON.parse(text);
  return {
    cases: report.testResults.flatMap((file) =>
      file.assertionResults.map((one) => ({
        file: relative(root, file.name),
        title: one.fullName,
        status: one.status,
      })),
    ),
    brokenFiles: report.testResults
      .filter(
        (file) => file.status === 'failed' && !file.assertionResults.some((one) => one.status === 'failed'),
      )
      .map((file) => relative(root, file.name)),
  };
}
