import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { explainNpmFailure } from './explain-npm.mjs';
import { startStep } from './progress.mjs';
import { runQuietly } from './run-quietly.mjs';
import { SetUpError } from './set-up-error.mjs';

/*
 * The stamp lies inside `node_modules` and is written last: `npm ci` begins by removing the folder, so an
 * interrupted install leaves none and is done again.
 */
const STAMP = join('node_modules', '.bulkhead-installed');

/**
 * @param {string} root The checkout.
 * @returns {boolean} Whether the installed packages are those of `package-lock.json`.
 */
export function isInstalled(root) {
  const stamp = join(root, STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted(root);
}

/**
 * Installs the locked packages. Runs no install script, whatever the person's npm settings are.
 *
 * @param {string} root The checkout.
 * @param {{ env: NodeJS.ProcessEnv, stream: NodeJS.WriteStream, signal: AbortSignal, guard(pid: number): void }} options
 * @returns {Promise<void>}
 * @throws {SetUpError} When npm fails; the message says what to do.
 */
export async function install(root, { env, stream, signal, guard }) {
  const step = startStep(stream, 'Installing dependencies');
  const stamp = wanted(root);
  const npm = npmCommand(env);
  let failed = true;
  try {
    const result = await runQuietly(
      npm.command,
      // Spelled out because a person's settings (production, engine-strict, omit) must not change what is installed.
      [
        ...npm.args,
        'ci',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
        '--include=dev',
        '--include=optional',
        '--engine-strict=false',
        '--global=false',
        '--dry-run=false',
        '--prefer-offline',
      ],
      { cwd: root, env: { ...env, NODE_ENV: '' }, signal, onStart: guard },
    );
    if (!result.ok) {
      throw new SetUpError(
        `Installing dependencies failed. npm said:\n${indent(result.output)}\n${explainNpmFailure(result.output)}`,
      );
    }
    writeFileSync(join(root, `${STAMP}.new`), stamp);
    renameSync(join(root, `${STAMP}.new`), join(root, STAMP));
    failed = false;
  } finally {
    step.end(failed ? (signal.aborted ? 'interrupted' : 'failed') : 'done');
  }
}

/** @param {string} root */
function wanted(root) {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`;
}

/**
 * The npm that is running, else the one on the path.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ command: string, args: string[] }}
 */
function npmCommand(env) {
  const running = env['npm_execpath'];
  if (running !== undefined && basename(running) === 'npm-cli.js' && existsSync(running)) {
    return { command: process.execPath, args: [running] };
  }
  return { command: 'npm', args: [] };
}

/**
 * The first lines say what went wrong; what follows is usage and the place of a log.
 *
 * @param {string} text
 */
function indent(text) {
  const lines = text.trim().split('\n');
  return lines
    .slice(0, 12)
    .map((line) => `  ${line}`)
    .join('\n');
}
