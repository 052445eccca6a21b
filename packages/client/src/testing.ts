export { GrpcConnection } from './grpc-connection.ts';
export { scriptedClient } from './testing/scripted-client.ts';
