import { readToken } from '@bulkhead/home/folder/read-token';
import type { HomeLayout, SocketChannel } from '@bulkhead/protocol';
import { createEngineClient, type EngineClient } from './engine-client.ts';
import { engineDoor } from './engine-door.ts';
import { GrpcConnection } from './grpc-connection.ts';

/**
 * A client of the process that listens on a home's socket. HTTP/2 and the wire's messages take
 * longest to load: import this on demand, or while an engine starts.
 *
 * @throws BulkheadError as `readToken` does
 */
export function openClient(layout: HomeLayout, channel: SocketChannel): EngineClient {
  const door = engineDoor(layout);
  return createEngineClient(GrpcConnection.open(door.socket, readToken(door), channel));
}
