import type { Timers } from '@bulkhead/protocol';

/** The contract's port, and those that are tried after it: a link or a tunnel then still fits. */
export const DEFAULT_PORT = 7411;
const LAST_PORT = 7427;

/** How long the port of the last start may stay taken: an engine that ends still holds it. */
const WAIT_MS = 3_000;
const PAUSE_MS = 100;

/** Remembers the port of the last start, so that open pages find the engine again. */
export interface KeptPort {
  read(): number | undefined;
  keep(port: number): void;
}

/**
 * Listens on the first free port: that of the last start, for which it waits a little; the default
 * range; any.
 *
 * @param listen resolves undefined for a port that is taken
 * @returns undefined if no port at all is free
 */
export async function choosePort<Server>(
  listen: (port: number) => Promise<Server | undefined>,
  { kept, timers }: { readonly kept: KeptPort | undefined; readonly timers: Timers },
): Promise<Server | undefined> {
  const last = kept?.read();
  if (last !== undefined) {
    for (let waited = 0; waited <= WAIT_MS; waited += PAUSE_MS) {
      const server = await listen(last);
      if (server !== undefined) return server;
      await new Promise<void>((resolve) => void timers.after(PAUSE_MS, resolve));
    }
  }
  for (let port = DEFAULT_PORT; port <= LAST_PORT; port += 1) {
    const server = port === last ? undefined : await listen(port);
    if (server !== undefined) return server;
  }
  return await listen(0);
}
