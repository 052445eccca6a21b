import { SetUpError } from './set-up-error.mjs';

const SIGNALS = /** @type {const} */ ({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 });

/**
 * Body of every set-up command: signals abort what runs, problems are told in plain words, the process ends with
 * the right exit code.
 *
 * @param {(signal: AbortSignal, settled: () => void) => Promise<number>} body Returns the exit code; calls `settled` when set-up is over
 *   and signals are its own business from there on.
 * @returns {Promise<void>}
 */
export async function main(body) {
  const controller = new AbortController();
  let exitCode = 1;
  const handlers = Object.entries(SIGNALS).map(([name, code]) => {
    const handler = () => {
      exitCode = code;
      controller.abort();
    };
    process.on(name, handler);
    return { name, handler };
  });
  const settled = () => {
    for (const { name, handler } of handlers) process.off(name, handler);
  };
  try {
    process.exitCode = await body(controller.signal, settled);
  } catch (error) {
    if (controller.signal.aborted) {
      process.stderr.write(
        'Interrupted. Run the same command again: what was left half done is done anew.\n',
      );
    } else if (error instanceof SetUpError) {
      process.stderr.write(`${error.message}\n`);
    } else {
      throw error;
    }
    process.exitCode = exitCode;
  } finally {
    settled();
  }
}
