export { ChunkVectors } from './chunk-vectors.ts';
export type { Embedder } from './embedder.ts';
export { ownTextEmbedder } from './own-text-embedder.ts';
export { QuerySimilarity } from './query-similarity.ts';
