export { describeProcessServer } from './accept-process.conformance.ts';
export { grpcHeaders, openRawStream } from './open-raw-stream.ts';
export { type SocketPair, socketPair } from './socket-pair.ts';
