export { GrpcConnection } from './grpc-connection.ts';
export { type ClientDoors, clientDoors, unreadGrpc, unreadHttp } from './testing/client-doors.ts';
