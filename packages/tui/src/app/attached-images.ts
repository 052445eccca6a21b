import { resolve } from 'node:path';

const IMAGE = /(?:^|\s)@(\S+\.(?:png|jpe?g|gif|webp))(?=\s|$)/gi;

/** Absolute paths of the images a message names with `@`, each once. @param folder absolute */
export function attachedImages(text: string, folder: string): readonly string[] {
  const names = [...text.matchAll(IMAGE)].map(([, name = '']) => resolve(folder, name));
  return [...new Set(names)];
}
