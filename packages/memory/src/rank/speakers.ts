import type { ChunkFeatures } from './chunk-features.ts';

/** Who speaks fewer lines may be a label (`Note: …`) and not a person. */
const FEWEST_LINES = 5;

/** The words of the names of all who speak in some chunks. */
export function speakersIn(chunks: readonly ChunkFeatures[]): ReadonlySet<string> {
  const lines = new Map<string, number>();
  for (const chunk of chunks)
    for (const { speaker } of chunk.lines)
      if (speaker !== '') lines.set(speaker, (lines.get(speaker) ?? 0) + 1);
  const names = new Set<string>();
  for (const [speaker, count] of lines)
    if (count >= FEWEST_LINES) for (const word of speaker.split(' ')) names.add(word);
  return names;
}
