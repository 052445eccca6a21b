import { clearFetchFolders } from '@bulkhead/home/folder/fetch-folder';
import { openHome } from '@bulkhead/home/open-home';
import { proveBoxes } from '../ground/prove-boxes.ts';
import type { EngineOptions } from './engine-options.ts';
import type { Engine } from './wire-engine.ts';

/**
 * Starts an engine: the home, its lock before anything is opened, then the walls. They are tried by other processes, which
 * takes as long as reading the rest of the engine, so both are under way at once.
 *
 * @throws BulkheadError what is wrong and how to mend it; nothing is left running then
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  await using stack = new AsyncDisposableStack();
  const home = await openHome(options, stack);
  const { layout } = home;
  clearFetchFolders(layout);
  const { dist, nodePath, insecureNoSandbox } = options;
  const { promise: underWay, resolve } = Promise.withResolvers<void>();
  const proving = proveBoxes({ dist, nodePath, run: layout.run, insecureNoSandbox, underWay: resolve });
  // Awaited by the engine, and here; if something else fails first, that is the error to report.
  proving.catch(() => {});
  stack.defer(async () => (await proving.catch(() => undefined))?.[Symbol.asyncDispose]());
  // What is read here is read in one go: whoever has not started by then waits for it.
  await Promise.race([underWay, proving]);
  const { wireEngine } = await import('./wire-engine.ts');
  const engine = await wireEngine(options, home, proving);
  const resources = stack.move();
  return {
    httpAddress: engine.httpAddress,
    close: async (graceMs) => {
      await engine.close(graceMs);
      await resources.disposeAsync();
    },
  };
}
