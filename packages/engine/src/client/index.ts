export { connectEngine } from './connect-engine.ts';
export type { EngineClient } from './engine-client.ts';
export { ensureEngine, reconnectEngine } from './ensure-engine.ts';
export { errorMetadata, GRPC_STATUS } from './error-metadata.ts';
export { readToken } from './read-token.ts';
export { type StartedEngine, type StartOptions, startEngine } from './start-engine.ts';
