export { describeProcessServer } from './accept-process.conformance.ts';
export { heldBack } from './held-back.ts';
export { type SocketPair, socketPair } from './socket-pair.ts';
