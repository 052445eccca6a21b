export { type AcceptedProcess, type AcceptOptions, acceptProcess } from './accept-process.ts';
export { attachToEngine, type EngineStream } from './attach-to-engine.ts';
export type { BoxedProcess, Ready } from './boxed-process.ts';
export { encodeFrames } from './frame.ts';
export {
  AGENT_LIMITS,
  CLIENT_MESSAGE_BYTES,
  CLIENT_REQUEST_BYTES,
  type WireLimits,
  WORKER_LIMITS,
} from './limits.ts';
export { Outbox } from './outbox.ts';
export { readMessages } from './read-messages.ts';
export { refuseOtherVersion } from './refuse-other-version.ts';
