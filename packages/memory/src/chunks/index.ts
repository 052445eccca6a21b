export { CHUNK_LENGTH, type Chunk, OVERLAP_LENGTH } from './chunk.ts';
export { chunkText } from './chunk-text.ts';
export { type DecodedText, decodeText } from './decode-text.ts';
