/*
 * `npm run build [-- --only NAME,NAME] [--faults]`: bundles the processes into `dist`. With
 * `--only`, builds just those, for work on one of them; the next `npm start` then builds the rest.
 * With `--faults`, writes to `dist-faults`, with active fault points.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { chmod, copyFile, glob, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { type Bundle, bundle } from './build/bundle.ts';
import { entries, fileOf } from './build/entries.ts';
import { clearAbandoned, publish } from './build/publish.ts';
import { sourceStamp } from './set-up/source-stamp.mjs';

/** Folder of the web UI below the output folder. */
const WEB_FOLDER = 'web';

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

/**
 * Copies the verifier of audit logs unchanged: exports include it, and it must stay readable and
 * self-contained.
 *
 * @param root The checkout.
 * @param outputFolder Gets `audit-verify.mjs`.
 * @returns The copied file's path below the output folder.
 */
async function copyAuditVerifier(root: string, outputFolder: string): Promise<string> {
  const name = 'audit-verify.mjs';
  await copyFile(join(root, 'packages/audit/standalone/verify.mjs'), join(outputFolder, name));
  return name;
}

/**
 * Copies the prebuilt sandbox launchers.
 *
 * @param root The checkout.
 * @param outputFolder Gets `prebuilt/<platform>-<arch>/bulkhead-launcher`, mode 0755, as in the
 *   package.
 * @returns The copied files' paths below the output folder.
 */
async function copyLaunchers(root: string, outputFolder: string): Promise<string[]> {
  const copied: string[] = [];
  for await (const path of glob('packages/sandbox/prebuilt/*/bulkhead-launcher', { cwd: root })) {
    const target = join('prebuilt', basename(dirname(path)), 'bulkhead-launcher');
    await mkdir(dirname(join(outputFolder, target)), { recursive: true });
    await copyFile(join(root, path), join(outputFolder, target));
    await chmod(join(outputFolder, target), 0o755);
    copied.push(target);
  }
  return copied.sort();
}

/**
 * Declares the bundles' module type, wherever they are copied: without it, Node.js parses each to
 * find out.
 *
 * @param outputFolder Gets `package.json`.
 * @returns The file's path below the output folder.
 */
async function writeModuleType(outputFolder: string): Promise<string> {
  const name = 'package.json';
  await writeFile(join(outputFolder, name), '{ "type": "module" }\n');
  return name;
}

/**
 * Bundles the web UI.
 *
 * @param root The checkout.
 * @param outputFolder Gets `web/index.html`, and files beside it whose names contain a hash of
 *   their content.
 * @returns Paths below the output folder, the page last: its reader finds all files it names.
 */
async function buildWebUi(root: string, outputFolder: string): Promise<readonly string[]> {
  const outDir = join(outputFolder, WEB_FOLDER);
  await build({ configFile: join(root, 'packages/web/vite.config.ts'), build: { outDir } });
  const files: string[] = [];
  for await (const path of glob('**/*.*', { cwd: outDir })) files.push(join(WEB_FOLDER, path));
  const page = join(WEB_FOLDER, 'index.html');
  return [...files.filter((file) => file !== page).sort(), page];
}
