import { join } from 'node:path';
import { build } from './build.mjs';
import { install, isInstalled } from './install.mjs';
import { acquireLock } from './lock.mjs';
import { platformProblem } from './platform.mjs';
import { startStep } from './progress.mjs';
import { runtimeOf } from './runtime.mjs';
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
