import { listedAmong } from './overlays-of.ts';
import { isKnown } from './pattern-text.ts';
import type { Place } from './place.ts';
import { type FolderPlace, type Grounds, placeOf } from './place-of.ts';
import { pathText, type ResolvedPath, resolvePath } from './resolve-path.ts';

/**
 * The places of one analysis. Looks up each path once, and its folder once for all files in it: a
 * command names many files and few folders.
 */
export class PlaceBook {
  readonly #grounds: Grounds;
  readonly #places = new Map<ResolvedPath, Map<string, Place>>();
  readonly #folders = new Map<ResolvedPath, Map<string, FolderPlace>>();

  constructor(grounds: Grounds) {
    this.#grounds = grounds;
  }

  /**
   * Returns the place of a path.
   *
   * @param text with markers for unknown parts
   * @param from the working folder at this point
   */
  of(text: string, from: ResolvedPath): Place {
    return entry(this.#places, from, text, () => this.#look(text, from));
  }

  #look(text: string, from: ResolvedPath): Place {
    const slash = text.lastIndexOf('/') + 1;
    const name = text.slice(slash);
    const plain = name !== '' && name !== '.' && name !== '..' && isKnown(text);
    const folder = plain ? this.#folder(text.slice(0, slash), from) : undefined;
    // Only this folder's own name affects the folding: `/private/tmp` is `/tmp`.
    if (folder === undefined || folder.path.names[0] === 'private')
      return placeOf(resolvePath(text, from), this.#grounds);
    const { names, anchored } = folder.path;
    return placeOf({ names: [...names, name], anchored }, this.#grounds, folder);
  }

  #folder(text: string, from: ResolvedPath): FolderPlace {
    return entry(this.#folders, from, text, () => {
      const path = resolvePath(text, from);
      const shown = pathText(path);
      const listed = listedAmong(path, [this.#grounds.home]);
      return { path, listed, text: shown.endsWith('/') ? shown : `${shown}/` };
    });
  }
}

function entry<T>(
  all: Map<ResolvedPath, Map<string, T>>,
  from: ResolvedPath,
  text: string,
  make: () => T,
): T {
  let known = all.get(from);
  if (known === undefined) {
    known = new Map();
    all.set(from, known);
  }
  let value = known.get(text);
  if (value === undefined) {
    value = make();
    known.set(text, value);
  }
  return value;
}
