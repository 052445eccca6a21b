export { describeProcessServer } from './accept-process.conformance.ts';
export { type SocketPair, socketPair } from './socket-pair.ts';
