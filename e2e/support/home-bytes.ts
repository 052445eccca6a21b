import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Looks for words in every byte of every file below a folder, and in the names of the files.
 *
 * @returns where each was found, as `word in path`
 */
export function foundIn(folder: string, words: readonly string[]): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.flatMap((name) => {
    const path = join(folder, name);
    const bytes = statSync(path).isFile() ? readFileSync(path) : Buffer.alloc(0);
    return words
      .filter((word) => name.includes(word) || holds(bytes, word))
      .map((word) => `${word} in ${name}`);
  });
}

/** In UTF-8 and UTF-16, and as Base64, whichever of the three places in it the word has. */
function holds(bytes: Buffer, word: string): boolean {
  const encoded = [0, 1, 2].map((shift) =>
    Buffer.from(' '.repeat(shift) + word)
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  );
  const forms = [
    Buffer.from(word),
    Buffer.from(word, 'utf16le'),
    ...encoded.map((text) => Buffer.from(text)),
  ];
  return forms.some((form) => bytes.includes(form));
}
