/*
 * `npm run build [-- --only NAME,NAME] [--faults]`: bundles the processes into `dist`. With
 * `--only`, builds just those, for work on one of them; the next `npm start` then builds the rest.
 * With `--faults`, writes to `dist-faults`, with active fault points.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { copyAuditVerifier } from './build/audit-verifier.ts';
import { type Bundle, bundle } from './build/bundle.ts';
import { entries, fileOf } from './build/entries.ts';
import { copyLaunchers } from './build/launchers.ts';
import { writeModuleType } from './build/module-type.ts';
import { clearAbandoned, publish } from './build/publish.ts';
import { buildWebUi, WEB_FOLDER } from './build/web-ui.ts';
import { sourceStamp } from './set-up/source-stamp.mjs';

const root = dirname(import.meta.dirname);
const started = performance.now();

const { values } = parseArgs({
  options: { only: { type: 'string' }, faults: { type: 'boolean', default: false } },
});
const dist = join(root, values.faults ? 'dist-faults' : 'dist');
const only = values.only?.split(',');
const chosen = entries.filter((entry) => only === undefined || only.includes(entry.name));
// Fault points exist in processes only, not in the web UI.
const withWeb = !values.faults && (only === undefined || only.includes(WEB_FOLDER));

const missing = chosen.filter((entry) => !existsSync(join(root, entry.source)));
if ((chosen.length === 0 && !withWeb) || missing.length > 0) {
  const lines = missing.map((entry) => `  ${entry.name}: ${entry.source} doesn't exist yet\n`);
  process.stderr.write(
    chosen.length === 0
      ? `--only takes names out of ${[...entries.map((entry) => entry.name), WEB_FOLDER].join(', ')}\n`
      : `An entry is not written:\n${lines.join('')}`,
  );
  process.exit(1);
}

mkdirSync(dist, { recursive: true });
await clearAbandoned(dist, Date.now());
const staging = await mkdtemp(join(dist, '.staging-'));
try {
  const source = sourceStamp(root);
  const bundles = await all(chosen.map((entry) => bundle(root, entry, staging, values.faults)));
  const copies = [
    ...(await copyLaunchers(root, staging)),
    await copyAuditVerifier(root, staging),
    await writeModuleType(staging),
    ...(withWeb ? await buildWebUi(root, staging) : []),
  ];
  const over = bundles.filter((one) => one.startBytes > one.entry.budget);
  for (const one of over) {
    process.stderr.write(
      `${fileOf(one.entry)} reads ${one.startBytes} bytes at every start, more than its budget of ${one.entry.budget}. Import what is heavy dynamically, or do without; the budgets are in scripts/build/entries.ts.\n`,
    );
  }
  if (over.length > 0) process.exitCode = 1;
  else await finish(source, bundles, copies);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await rm(staging, { recursive: true, force: true });
}

/** All results; reports the first failure only after all writing has ended. */
async function all<Result>(work: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

async function finish(source: string, bundles: readonly Bundle[], copies: readonly string[]): Promise<void> {
  const entryFiles = bundles.map((one) => fileOf(one.entry));
  const all = [...copies, ...bundles.flatMap((one) => one.files)];
  const files = [...all.filter((file) => !entryFiles.includes(file)), ...entryFiles];
  const previousFiles = await publish(staging, dist, files);
  await symlink(relative(dist, process.execPath), join(staging, 'node'));
  await rename(join(staging, 'node'), join(dist, 'node'));
  if (only === undefined) {
    const report = {
      source,
      builtAt: new Date().toISOString(),
      node: process.versions.node,
      milliseconds: Math.round(performance.now() - started),
      entries: Object.fromEntries(
        bundles.map((one) => [
          one.entry.name,
          { startBytes: one.startBytes, totalBytes: one.totalBytes, budget: one.entry.budget },
        ]),
      ),
      files,
      previousFiles,
    };
    await writeFile(join(staging, 'build.json'), `${JSON.stringify(report, null, 2)}\n`);
    await rename(join(staging, 'build.json'), join(dist, 'build.json'));
  }
  for (const one of bundles) {
    process.stdout.write(
      `${one.entry.name}: ${kilobytes(one.startBytes)} at start, ${kilobytes(one.totalBytes)} in ${one.files.length} files\n`,
    );
  }
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1000)} kB`;
}
