import { clearFetchFolders } from '@bulkhead/home/folder/fetch-folder';
import { openHome } from '@bulkhead/home/open-home';
import { proveBoxes } from '../ground/prove-boxes.ts';
import type { EngineOptions } from './engine-options.ts';
import type { Engine } from './wire-engine.ts';

/**
 * Starts an engine: the home, its lock before anything is opened, then the boxes. Other processes
 * test these, which takes as long as loading the rest of the engine, so both run at once.
 *
 * @throws BulkheadError with the problem and its remedy; nothing is left running then
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  await using stack = new AsyncDisposableStack();
  const home = await openHome(options, stack);
  const { layout } = home;
  clearFetchFolders(layout);
  const { dist, nodePath, insecureNoSandbox } = options;
  const { promise: underWay, resolve } = Promise.withResolvers<void>();
  const proving = proveBoxes({ dist, nodePath, run: layout.run, insecureNoSandbox, underWay: resolve });
  // Awaited by the engine, and here; if another step fails first, its error is reported.
  proving.catch(() => {});
  stack.defer(async () => (await proving.catch(() => undefined))?.[Symbol.asyncDispose]());
  // This import blocks the thread: processes that have not started by then wait for it.
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
