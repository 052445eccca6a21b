import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '@bulkhead/home/folder/is-alive';
import type { EngineLink } from './engine-link.ts';
import type { StartedEngine } from './start-engine.ts';

/** A stopping engine drains for up to 5 s; it gets a little more. */
export const STOP_MS = 6_000;

/** Stops an engine that this process started, and waits for its end. */
export async function stopStarted(link: EngineLink, started: StartedEngine): Promise<void> {
  started.keep();
  try {
    await link.once((client) => client.call('stop', { restart: false }, AbortSignal.timeout(1_000)));
  } catch {
    if (isAlive(started.supervisorPid)) process.kill(started.supervisorPid, 'SIGTERM');
  }
  const limit = new AbortController();
  const late = sleep(STOP_MS, undefined, { signal: limit.signal }).catch(() => undefined);
  await Promise.race([started.ended, late]);
  limit.abort();
}
