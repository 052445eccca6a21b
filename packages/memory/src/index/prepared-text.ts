import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type Chunk, chunkText } from '../chunks/index.ts';
import type { MemorySource } from '../memory-hit.ts';
import { packChunk } from '../rank/packed-chunk.ts';
import type { TermReader } from '../text/term-reader.ts';
import { tokenCounts } from './word-tokens.ts';

/** A chunk, ready to be written. */
export interface PreparedChunk extends Chunk {
  /** Hash of heading, date and text: equal keys mean equal words and vector. */
  readonly key: Buffer;
  /** The number of its terms; then its tokens with their counts. */
  readonly terms: number;
  readonly tokens: ReadonlyMap<string, number>;
  /** See `packChunk`. */
  readonly packed: Uint32Array;
  readonly tie: number;
}

/** A text, ready to be written. */
export interface PreparedText {
  readonly source: MemorySource;
  readonly path: string;
  readonly version: string;
  readonly hash: Buffer;
  readonly chunks: readonly PreparedChunk[];
}

/** Chunks between two yields to other work. */
const BETWEEN_TURNS = 64;
const KEY_LENGTH = 16;

/** Cuts a text and finds its terms. */
export async function prepareChunks(
  text: string,
  path: string,
  reader: TermReader,
): Promise<readonly PreparedChunk[]> {
  const prepared: PreparedChunk[] = [];
  for (const chunk of chunkText(text, path)) {
    prepared.push(prepareChunk(chunk, path, reader));
    if (prepared.length % BETWEEN_TURNS === 0) await setImmediate();
  }
  return prepared;
}

function prepareChunk(chunk: Chunk, path: string, reader: TermReader): PreparedChunk {
  const { packed, terms } = packChunk(chunk, reader);
  return {
    ...chunk,
    key: sha256(JSON.stringify([chunk.heading, chunk.date, chunk.text])).subarray(0, KEY_LENGTH),
    terms: terms.length,
    tokens: tokenCounts(terms),
    packed,
    tie: tieOf(path, chunk.ordinal),
  };
}

/** 48 bits, independent of the order of indexing and of earlier states of the files. */
function tieOf(path: string, ordinal: number): number {
  return sha256(`${path}\n${ordinal}`).readUIntBE(0, 6);
}

export function sha256(content: string | Uint8Array): Buffer {
  return createHash('sha256').update(content).digest();
}
