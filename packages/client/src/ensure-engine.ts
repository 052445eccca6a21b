import { setTimeout as sleep } from 'node:timers/promises';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { type ConnectOptions, connectEngine, socketExists } from './connect-engine.ts';
import type { EngineClient } from './engine-client.ts';
import { type StartedEngine, type StartOptions, startEngine } from './start-engine.ts';

const RETRY_MS = 50;
const WINNER_READY_MS = 30_000;
/** How long to wait for the winner of two starts before asking whether it still lives. */
const WINNER_CHECK_MS = 2_000;
const TOKEN_MS = 500;

/**
 * Connects to the engine of a home, starting one if none runs. Of two concurrent callers, one
 * starts it and the other waits.
 *
 * @returns the client, and the engine if this call started it
 * @throws BulkheadError as `connectEngine` and `startEngine` do
 */
export async function ensureEngine(
  layout: HomeLayout,
  options: StartOptions,
): Promise<{ readonly client: EngineClient; readonly started: StartedEngine | undefined }> {
  // Without a socket the start comes first, before any other work, also in the caller.
  const running = socketExists(layout) ? await runningClient(layout, options) : undefined;
  if (running !== undefined) return { client: running, started: undefined };
  const end = performance.now() + WINNER_READY_MS;
  while (true) {
    try {
      const starting = startEngine(layout, options);
      // Loaded while the engine starts.
      const [started] = await Promise.all([starting, import('./open-client.ts')]);
      return { client: await connectEngine(layout, options), started };
    } catch (cause) {
      if (!hasCode(cause, 'already_running')) throw cause;
    }
    try {
      const client = await reconnectEngine(layout, WINNER_CHECK_MS, options);
      return { client, started: undefined };
    } catch (cause) {
      // A winner that failed will never listen: then the next start wins, and reports its own
      // failure.
      if (!isWorthwhile(cause) || performance.now() > end) throw cause;
    }
  }
}

/** @returns undefined if no process listens */
async function runningClient(layout: HomeLayout, options: StartOptions): Promise<EngineClient | undefined> {
  try {
    return await connectOnce(layout, options);
  } catch (cause) {
    if (!hasCode(cause, 'not_running')) throw cause;
    return undefined;
  }
}

/** A starting engine listens before it has written its new token. */
async function connectOnce(layout: HomeLayout, options: StartOptions): Promise<EngineClient> {
  try {
    return await connectEngine(layout, options);
  } catch (cause) {
    if (!hasCode(cause, 'unauthenticated')) throw cause;
    return reconnectEngine(layout, TOKEN_MS, options);
  }
}

/**
 * Connects to an engine that is about to listen: started by another process, or restarting.
 *
 * @param withinMs how long to try
 * @throws BulkheadError the last failure
 */
export async function reconnectEngine(
  layout: HomeLayout,
  withinMs: number,
  options: ConnectOptions = {},
): Promise<EngineClient> {
  const end = performance.now() + withinMs;
  while (true) {
    try {
      return await connectEngine(layout, options);
    } catch (cause) {
      if (!isWorthwhile(cause) || performance.now() + RETRY_MS > end) throw cause;
    }
    await sleep(RETRY_MS);
    if (options.signal?.aborted)
      throw new BulkheadError('cancelled', 'connecting to the engine was cancelled');
  }
}

/** True for answers of an engine that is about to listen. */
function isWorthwhile(cause: unknown): boolean {
  return hasCode(cause, 'not_running') || hasCode(cause, 'unauthenticated');
}

function hasCode(cause: unknown, code: BulkheadError['code']): boolean {
  return BulkheadError.is(cause) && cause.code === code;
}
