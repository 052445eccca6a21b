import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { install, isInstalled } from './install.mjs';
import { acquireLock } from './lock.mjs';
import { platformProblem } from './platform.mjs';
import { startStep } from './progress.mjs';
import { runQuietly } from './run-quietly.mjs';
import { SetUpError } from './set-up-error.mjs';
import { isBuilt } from './source-stamp.mjs';

/**
 * Installs and builds what is missing. Silent when nothing is.
 *
 * @param {string} root The checkout.
 * @param {{ build: boolean, env: NodeJS.ProcessEnv, stream: NodeJS.WriteStream, signal: AbortSignal }} options
 * @returns {Promise<string>} The executable of the Node.js to run the project on.
 * @throws {SetUpError} When something is wrong that the person has to mend.
 */
export async function setUp(root, options) {
  const problem = platformProblem({
    platform: process.platform,
    arch: process.arch,
    nodeVersion: process.versions.node,
  });
  if (problem !== undefined) throw new SetUpError(problem);
  if (isReady(root, options)) return runtimeOf(root);

  const lock = await lockCheckout(root, options);
  try {
    if (!isInstalled(root)) await install(root, { ...options, guard: lock.guard });
    const runtime = runtimeOf(root);
    if (options.build && !isBuilt(root, runtime))
      await build(root, runtime, { ...options, guard: lock.guard });
    return runtime;
  } finally {
    lock.release();
  }
}

/** @param {string} root @param {{ build: boolean }} options */
function isReady(root, options) {
  return isInstalled(root) && (!options.build || isBuilt(root, runtimeOf(root)));
}

/** @param {string} root @param {{ stream: NodeJS.WriteStream, signal: AbortSignal }} options */
async function lockCheckout(root, { stream, signal }) {
  /** @type {ReturnType<typeof startStep> | undefined} */
  let waiting;
  try {
    return await acquireLock(join(root, '.cache', 'set-up.lock'), {
      signal,
      onWait: (pid) => {
        waiting = startStep(
          stream,
          `Waiting for another set-up of this checkout${pid === undefined ? '' : ` (process ${pid})`}`,
        );
      },
    });
  } finally {
    waiting?.end(signal.aborted ? 'interrupted' : 'done');
  }
}

/**
 * Builds `dist`.
 *
 * @param {string} root The checkout, with its packages installed.
 * @param {string} runtime The executable to build with and for.
 * @param {{ env: NodeJS.ProcessEnv, stream: NodeJS.WriteStream, signal: AbortSignal, guard(pid: number): void }} options
 * @returns {Promise<void>}
 * @throws {SetUpError} When the build fails.
 */
async function build(root, runtime, { env, stream, signal, guard }) {
  const step = startStep(stream, 'Building');
  let failed = true;
  try {
    const { NODE_OPTIONS: _unwanted, ...clean } = env;
    const result = await runQuietly(runtime, [join(root, 'scripts', 'build.ts')], {
      cwd: root,
      env: clean,
      signal,
      onStart: guard,
    });
    if (!result.ok) {
      throw new SetUpError(
        `The build failed:\n${result.output.trimEnd()}\nIf you changed nothing, run \`git status\` and report this; else mend the source and run this again.`,
      );
    }
    failed = false;
  } finally {
    step.end(failed ? (signal.aborted ? 'interrupted' : 'failed') : 'done');
  }
}

/**
 * The Node.js that everything of the project runs on: the pinned one, else the running one if it is new enough.
 *
 * @param {string} root The checkout, with its packages installed.
 * @returns {string} Absolute path of the executable.
 * @throws {SetUpError} When there is neither.
 */
function runtimeOf(root) {
  const pinned = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(pinned) && canRunPinned()) return pinned;
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath;
  throw new SetUpError(
    `The pinned Node.js does not run on ${process.platform}-${process.arch}${canRunPinned() ? '' : ' without glibc'}, and the one on this machine is ${process.versions.node}. Install Node.js 24 or newer and run this again.`,
  );
}

/** The pinned executables are linked against glibc. */
function canRunPinned() {
  if (process.platform !== 'linux') return true;
  return existsSync('/lib64/ld-linux-x86-64.so.2') || existsSync('/lib/ld-linux-aarch64.so.1');
}
