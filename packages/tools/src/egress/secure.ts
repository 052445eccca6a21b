import type { Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { BulkheadError } from '@bulkhead/protocol';
import { orAborted } from './deadline.ts';
import type { Host } from './host.ts';

/**
 * TLS over an open connection. The server must prove to be `host`, whatever address was dialled; no
 * environment variable loosens that.
 *
 * @param authorities certificates to trust instead of the built-in ones, in PEM: for tests
 * @throws BulkheadError `tool_failed` with the problem of the certificate
 */
export async function secure(
  socket: Socket,
  host: Host,
  authorities: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const secured = connect({
    socket,
    // An address is no server name (RFC 6066); the certificate must then name the address.
    ...(host.kind === 'name' ? { servername: host.text } : { host: host.address.text }),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...(authorities === undefined ? {} : { ca: [...authorities] }),
  });
  const ready = new Promise<void>((resolve, reject) => {
    secured.once('secureConnect', resolve);
    secured.once('close', () => reject(new Error('the connection was closed')));
    secured.on('error', reject);
  });
  try {
    await orAborted(ready, signal);
  } catch (error) {
    secured.destroy();
    signal.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    throw new BulkheadError('tool_failed', `no secure connection to ${host.text}: ${why}`, { cause: error });
  }
  if (!secured.authorized) {
    secured.destroy();
    throw new BulkheadError('internal', `${host.text} was not proven and not refused`);
  }
  return secured;
}
