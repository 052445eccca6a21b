import { join } from 'node:path';
import { startStep } from './progress.mjs';
import { runQuietly } from './run-quietly.mjs';
import { SetUpError } from './set-up-error.mjs';

/**
 * Builds `dist`.
 *
 * @param {string} root The checkout, with its packages installed.
 * @param {string} runtime The executable to build with and for.
 * @param {{ env: NodeJS.ProcessEnv, stream: NodeJS.WriteStream, signal: AbortSignal, guard(pid: number): void }} options
 * @returns {Promise<void>}
 * @throws {SetUpError} When the build fails.
 */
export async function build(root, runtime, { env, stream, signal, guard }) {
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
