export type { Chunk } from './chunk.ts';
export { chunkText } from './chunk-text.ts';
export { decodeText } from './decode-text.ts';
