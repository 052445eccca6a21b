import type { Clock, HomeLayout } from '@bulkhead/protocol';
import { EngineLink } from './engine-link.ts';
import { ensureEngine, reconnectEngine } from './ensure-engine.ts';
import { type StartedEngine, type StartOptions, startEngine } from './start-engine.ts';

/** How long a private engine that is ready may take to listen, milliseconds. */
const LISTEN_MS = 500;

/** A connection to the engine of a home. */
export interface OpenedEngine {
  readonly link: EngineLink;
  /** The engine, if this call started it. */
  readonly started: StartedEngine | undefined;
}

/**
 * Connects to the home's engine, starting it if none runs: the only entry point for client
 * programs.
 *
 * @param options.isolated start a private one, and refuse if one runs already
 * @throws BulkheadError as `connectEngine` and `startEngine` do
 */
export async function openEngine(
  layout: HomeLayout,
  options: StartOptions,
  clock: Clock,
): Promise<OpenedEngine> {
  const { channel = 'cli' } = options;
  const connect = (withinMs: number, signal?: AbortSignal) =>
    reconnectEngine(layout, withinMs, { channel, ...(signal === undefined ? {} : { signal }) });
  if (options.isolated === true) {
    const started = await startEngine(layout, options);
    const client = await connect(LISTEN_MS, options.signal);
    return { link: new EngineLink(client, connect, clock), started };
  }
  const { client, started } = await ensureEngine(layout, options);
  return { link: new EngineLink(client, connect, clock), started };
}
