import type { ProfileFiles } from '@bulkhead/memory';

export const MEMORY_FILE = 'MEMORY.md';

/** Some 300 tokens: less than the five nearest chunks take. */
const MOST_CHARACTERS = 1_200;
/** Most that so many characters are as UTF-8. */
const MOST_BYTES = 4 * MOST_CHARACTERS;

/** @returns all of `MEMORY.md`, if that is cheaper than to look things up in it; undefined if it isn't, or says nothing */
export function smallMemory(files: Pick<ProfileFiles, 'read'>): string | undefined {
  const read = readPlain(files);
  if (read === undefined || read.isCut) return undefined;
  const text = new TextDecoder().decode(read.bytes).trim();
  return text === '' || text.length > MOST_CHARACTERS ? undefined : text;
}

function readPlain(files: Pick<ProfileFiles, 'read'>): ReturnType<ProfileFiles['read']> {
  try {
    return files.read(MEMORY_FILE, MOST_BYTES);
  } catch {
    // What is wrong with it is told when the files are listed.
    return undefined;
  }
}
