import type { Descriptor } from '@bulkhead/files';
import { inParallel } from './in-parallel.ts';
import { type Look, lookAtObject, type ReadContent } from './look-at-object.ts';
import { namesOf, textOf } from './path-names.ts';
import type { Expected } from './snapshot.ts';

/** Files read in parallel, so that disk waits overlap. */
const READS_AT_ONCE = 8;

/** An object that is about to change. */
export interface NamedPath {
  /** Relative to the folder; `.` is the folder itself. */
  readonly path: Uint8Array;
  /** Its expected state after the change, as far as it is known. */
  readonly expected?: Expected;
}

export interface PreImage extends Look {
  readonly names: readonly Buffer[];
  /** The canonical text of its path. */
  readonly text: string;
  readonly expected?: Expected;
  /** True if the request did not name it. */
  readonly around?: true;
}

/**
 * Reads the state of everything that a change touches: each object, its missing parent folders,
 * which will be created, and the folder around it, whose time changes with its entries.
 *
 * @param read is called for every regular file
 * @throws what `lookAtObject` throws
 */
export async function preImages(
  root: Descriptor,
  paths: readonly NamedPath[],
  read: ReadContent,
): Promise<readonly PreImage[]> {
  const found = new Map<string, PreImage>();
  const add = async (
    names: readonly Buffer[],
    facts: Pick<PreImage, 'expected' | 'around'>,
  ): Promise<Look> => {
    const text = textOf(names);
    const known = found.get(text);
    if (known !== undefined) return known;
    const look = await lookAtObject(root, names, read);
    found.set(text, { ...look, names, text, ...facts });
    return look;
  };
  const named = [...new Map(paths.map((path) => [textOf(namesOf(path.path)), path])).values()];
  await inParallel(named, READS_AT_ONCE, async ({ path, expected }) => {
    await add(namesOf(path), expected === undefined ? {} : { expected });
  });
  for (const { path } of named) {
    for (let names = namesOf(path); names.length > 0; ) {
      names = names.slice(0, -1);
      const { state } = await add(names, { around: true });
      if (state.kind !== 'missing') break;
    }
  }
  return [...found.values()];
}
