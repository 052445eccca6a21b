/*
 * All checks of the checkout, run by `npm test`. Exit code 1 when one fails.
 *   --only NAME        just this one (may be repeated)
 *   --list             the names
 *   --update-surface   write api/ anew instead of comparing with it
 */
import { mkdir, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { lastChecks, staticChecks, unitTests } from './checks/all-checks.ts';
import type { Check, CheckContext } from './checks/check.ts';
import { createReport, summaryOf } from './checks/report.ts';
import { type CheckListener, runChecks } from './checks/run-checks.ts';
import { withoutNpm } from './set-up/environment.mjs';

/** Bound on a run that hangs, milliseconds: below the 90 minutes after which others would end it, unreported. */
const WHOLE_MS = 86 * 60_000;

const root = dirname(import.meta.dirname);
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    list: { type: 'boolean', default: false },
    'update-surface': { type: 'boolean', default: false },
  },
});
const all = [...staticChecks, unitTests, ...lastChecks];
const names = all.map((check) => check.name);
const unknown = (values.only ?? []).filter((name) => !names.includes(name));

if (values.list) process.stdout.write(`${names.join('\n')}\n`);
else if (unknown.length > 0) {
  process.stderr.write(`There is no check ${unknown.join(', ')}. There are: ${names.join(', ')}\n`);
  process.exitCode = 2;
} else await main();

async function main(): Promise<void> {
  const chosen = (checks: readonly Check[]) =>
    checks.filter((check) => values.only === undefined || values.only.includes(check.name));
  const results = join(root, '.cache', 'test-results');
  await mkdir(results, { recursive: true });
  // Of earlier versions of the code; see vitest.config.ts.
  await rm(join(root, '.cache', 'compile'), { recursive: true, force: true });
  const report = createReport(process.stdout);
  const cpuSeconds = new Map<string, number>();
  const listener: CheckListener = {
    started: report.started,
    finished(one) {
      if (one.result.cpuSeconds !== undefined) cpuSeconds.set(one.check.name, one.result.cpuSeconds);
      report.finished(one);
    },
  };
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => controller.abort());
  const context: CheckContext = {
    root,
    results,
    env: environment(),
    signal: controller.signal,
    updateSurface: values['update-surface'],
    endBy: performance.now() + WHOLE_MS,
    cpuSeconds,
  };
  // Unit tests leave a processor idle while they wait for processes and disks.
  const beside = await Promise.all([
    runChecks(chosen(staticChecks), 1, context, listener),
    runChecks(chosen([unitTests]), 1, context, listener),
  ]);
  const finished = [...beside.flat(), ...(await runChecks(chosen(lastChecks), 1, context, listener))];
  report.close();
  process.stdout.write(summaryOf(finished));
  if (controller.signal.aborted) process.exitCode = 130;
  else if (finished.some((one) => one.result.failed > 0)) process.exitCode = 1;
}

/** The tools run on this Node.js, and find each other. */
function environment(): NodeJS.ProcessEnv {
  const env = withoutNpm(process.env);
  const folders = [dirname(process.execPath), join(root, 'node_modules', '.bin'), env['PATH'] ?? ''];
  return { ...env, PATH: folders.join(delimiter), NO_COLOR: '1' };
}
