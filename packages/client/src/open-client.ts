import { readToken } from '@bulkhead/home/folder/read-token';
import type { HomeLayout } from '@bulkhead/protocol';
import { createEngineClient, type EngineClient } from './engine-client.ts';
import { engineDoor } from './engine-door.ts';
import { GrpcConnection } from './grpc-connection.ts';

/**
 * A client of whoever listens on the socket of a home. HTTP/2 and the messages of the wire are what a command reads longest: import this
 * when it is needed, or while an engine starts.
 *
 * @throws BulkheadError as `readToken` does
 */
export function openClient(layout: HomeLayout): EngineClient {
  const door = engineDoor(layout);
  return createEngineClient(GrpcConnection.open(door.socket, readToken(door)));
}
