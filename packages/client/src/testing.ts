export { GrpcConnection } from './grpc-connection.ts';
export { scriptedClient } from './scripted-client.ts';
