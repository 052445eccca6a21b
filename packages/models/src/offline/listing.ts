/** One line of a result of `ls`. */
export interface ListEntry {
  readonly type: '-' | 'd' | 'l';
  /** Bytes. */
  readonly size: number;
  readonly name: string;
}

export interface Listing {
  readonly entries: readonly ListEntry[];
  /** Where the listing continues; undefined if it is complete. */
  readonly nextOffset: number | undefined;
}

const ENTRY = /^([-dl])\s+(\d+) (.+)$/;

/** Reads `<type> <size> <name>` lines and the paging notice; skips other lines. */
export function parseListing(text: string): Listing {
  const lines = text.split('\n');
  const next = /offset=(\d+)/.exec(lines.findLast((line) => line.trim() !== '') ?? '')?.[1];
  return { entries: lines.flatMap(parseEntry), nextOffset: next === undefined ? undefined : Number(next) };
}

/**
 * The files of the greatest or smallest size: more than one if they tie. Folders and links don't
 * count.
 */
export function extremeFiles(
  entries: readonly ListEntry[],
  order: 'largest' | 'smallest',
): readonly ListEntry[] {
  const files = entries.filter((entry) => entry.type === '-');
  const sizes = files.map((file) => file.size);
  const wanted = sizes.reduce(
    (best, size) => (order === 'largest' ? Math.max(best, size) : Math.min(best, size)),
    sizes[0] ?? 0,
  );
  return files.filter((file) => file.size === wanted);
}

function parseEntry(line: string): ListEntry[] {
  const match = ENTRY.exec(line);
  const [, type, size, name] = match ?? [];
  if ((type !== '-' && type !== 'd' && type !== 'l') || name === undefined) return [];
  return [{ type, size: Number(size), name }];
}
