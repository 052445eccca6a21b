import { statSync } from 'node:fs';
import { BulkheadError, type HomeLayout, PROTOCOL_VERSION, type SocketChannel } from '@bulkhead/protocol';
import type { EngineClient } from './engine-client.ts';
import { engineDoor } from './engine-door.ts';

const ANSWER_MS = 5_000;

export interface ConnectOptions {
  readonly signal?: AbortSignal;
  readonly answerMs?: number;
  readonly channel?: SocketChannel;
}

/**
 * Connects to the engine that runs on a home.
 *
 * @param options.channel name of the client, for the record; that of the command line if absent
 * @param options.answerMs how long the engine may take for its first answer, milliseconds
 * @throws BulkheadError `not_running`: no socket or no server behind it; `unauthenticated`: the token
 *   isn't readable or not accepted; `timeout`: the engine doesn't answer; `not_available`: an engine
 *   of another version; `cancelled`
 */
export async function connectEngine(layout: HomeLayout, options: ConnectOptions = {}): Promise<EngineClient> {
  if (!socketExists(layout)) throw notRunning(layout, undefined);
  const { openClient } = await import('./open-client.ts');
  const client = openClient(layout, options.channel ?? 'cli');
  try {
    await refuseOtherVersion(client, layout, options);
    return client;
  } catch (cause) {
    client[Symbol.dispose]();
    throw cause;
  }
}

/**
 * False if no engine can exist.
 * @throws BulkheadError `not_available` if the home can't be read
 */
export function socketExists(layout: HomeLayout): boolean {
  try {
    return statSync(engineDoor(layout).socket, { throwIfNoEntry: false }) !== undefined;
  } catch (cause) {
    throw new BulkheadError('not_available', `the home ${layout.root} can't be read`, {
      fix: 'Point BULKHEAD_HOME to a folder of your own.',
      cause,
    });
  }
}

async function refuseOtherVersion(
  client: EngineClient,
  layout: HomeLayout,
  options: ConnectOptions,
): Promise<void> {
  const limit = AbortSignal.timeout(options.answerMs ?? ANSWER_MS);
  const signal = options.signal === undefined ? limit : AbortSignal.any([options.signal, limit]);
  const status = await client.call('status', {}, signal).catch((cause: unknown) => {
    if (limit.aborted && !options.signal?.aborted) throw silent(layout, options.answerMs ?? ANSWER_MS);
    throw BulkheadError.is(cause) && cause.code === 'not_running' ? notRunning(layout, cause) : cause;
  });
  if (status.protocolVersion === PROTOCOL_VERSION) return;
  throw new BulkheadError(
    'not_available',
    `the engine that runs on ${layout.root} is version ${status.version} (protocol ${status.protocolVersion}), this client speaks protocol ${PROTOCOL_VERSION}`,
    {
      fix: 'Restart it with `bulkhead stop` and `bulkhead start`.',
      details: { protocolVersion: status.protocolVersion },
    },
  );
}

function notRunning(layout: HomeLayout, cause: unknown): BulkheadError {
  return new BulkheadError('not_running', `no engine runs on ${layout.root}`, {
    fix: 'Start one with `bulkhead start --daemon`.',
    cause,
  });
}

function silent(layout: HomeLayout, ms: number): BulkheadError {
  return new BulkheadError('timeout', `the engine on ${layout.root} did not answer within ${ms / 1000} s`, {
    fix: 'See `bulkhead logs`; `bulkhead stop` ends it.',
  });
}
