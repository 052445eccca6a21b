import type { ChunkFeatures } from './chunk-features.ts';

/** A speaker of fewer lines may be a label (`Note: …`) instead of a person. */
const FEWEST_LINES = 5;

interface Speaker {
  readonly words: Uint32Array;
  lines: number;
}

/** The words of all speakers' names in some chunks, from `hashOf`. */
export function speakersIn(chunks: readonly ChunkFeatures[]): ReadonlySet<number> {
  const speakers = new Map<number, Speaker>();
  for (const chunk of chunks) for (const speaker of chunk.speakers) count(speakers, speaker);
  return new Set(
    [...speakers.values()].flatMap(({ words, lines }) => (lines < FEWEST_LINES ? [] : [...words])),
  );
}

function count(speakers: Map<number, Speaker>, words: Uint32Array): void {
  if (words.length === 0) return;
  const key = keyOf(words);
  const known = speakers.get(key);
  if (known === undefined) speakers.set(key, { words, lines: 1 });
  else known.lines += 1;
}

/** One number for a name of one or more words. */
function keyOf(speaker: Uint32Array): number {
  if (speaker.length === 1) return speaker[0] ?? 0;
  let key = 0;
  for (const word of speaker) key = (Math.imul(key, 31) + word) >>> 0;
  return key;
}
