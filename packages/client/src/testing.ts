export { GrpcConnection } from './grpc-connection.ts';
