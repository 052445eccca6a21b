/** Texts that may differ between two plays of a piece, and what stands for them. */
export interface Places {
  /** The home folder of the person, outside and in the box. */
  readonly homes: readonly string[];
  /** Folders for temporary files. */
  readonly temporary: readonly string[];
}

const MASKS: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/g, '<hash>'],
  [/\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,16}\b/g, '<hash>'],
  [/(?<=(?:\bat|\bcommit|\bHEAD|\(root-commit\)|\[[\w/-]+) )\d{7,10}\b/g, '<hash>'],
  [/\b[0-9a-f]{7,10}\.\.[0-9a-f]{7,10}\b/g, '<hash>..<hash>'],
  [/\btmp\.[A-Za-z0-9]{6,12}\b/g, 'tmp.<name>'],
  [/(\bline \d+:) +\d+ (?=[A-Z])/g, '$1 <pid> '],
  [/\b\d{10} [+-]\d{4}\b/g, '<time>'],
  [/\b\d\d:\d\d:\d\d(?:\.\d+)?\b/g, '<time>'],
  [/\b\d+(?:\.\d+)? ?(?:ms|s|sec|seconds)\b/g, '<duration>'],
];

/** @param text of an output or a file; bytes as Latin-1 where it may be no UTF-8 */
export function masked(text: string, { homes, temporary }: Places): string {
  let result = text;
  for (const home of homes) result = result.replaceAll(home, '~');
  for (const folder of temporary) result = result.replaceAll(folder, '/tmp');
  for (const [pattern, mask] of MASKS) result = result.replace(pattern, mask);
  return result;
}
