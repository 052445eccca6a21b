import { connect, type Socket } from 'node:net';
import { BulkheadError, type Timers } from '@bulkhead/protocol';
import { Deadline } from './deadline.ts';
import { parseIp } from './ip-address.ts';
import { VettedAddress } from './vetted-address.ts';

/**
 * Connects to an address that was vetted. Rejects with the signal's reason, `timeout`, or the
 * system's error.
 */
export type Dial = (
  address: VettedAddress,
  port: number,
  limits: { readonly timers: Timers; readonly timeoutMs: number; readonly signal: AbortSignal },
) => Promise<Socket>;

/**
 * Connects to the vetted address only: the kernel receives a number, and its peer address is
 * compared.
 */
export const dialAddress: Dial = async (address, port, { timers, timeoutMs, signal }) => {
  if (!VettedAddress.is(address)) throw new BulkheadError('internal', 'an address was not vetted');
  using deadline = new Deadline(timers, timeoutMs, signal, `${address.ip.text} took no connection`);
  deadline.signal.throwIfAborted();
  const { text, family } = address.ip;
  const socket = connect({
    host: text,
    port,
    family,
    lookup: refuseLookup,
    autoSelectFamily: false,
    noDelay: true,
  });
  try {
    await connected(socket, deadline.signal);
    const peer = parseIp(socket.remoteAddress ?? '');
    if (peer?.text !== text || socket.remotePort !== port) {
      throw new BulkheadError(
        'internal',
        `the connection to ${text} leads to ${socket.remoteAddress ?? 'nobody'}`,
      );
    }
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
};

function connected(socket: Socket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    socket.once('connect', () => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
    // This listener stays: the new owner handles later errors, but none may end the process.
    socket.on('error', (error) => {
      signal.removeEventListener('abort', abort);
      reject(error);
    });
  });
}

/** `net.connect` resolves no number; if it tried, that would be a hole. */
function refuseLookup(name: string): never {
  throw new BulkheadError('internal', `${name} was about to be resolved a second time`);
}
