import { listedBelow, listedNames, overlaysOf } from './overlays-of.ts';
import type { Overlay } from './place.ts';

/**
 * The meaning of a path of this machine beyond its location.
 *
 * @param path absolute, without links
 * @param home the person's own, the same
 */
export function meaningOfPath(path: string, home: string): readonly Overlay[] {
  return overlaysOf({ names: namesOf(path), anchored: true }, [namesOf(home)]);
}

/**
 * Listed places of a home that would lie in a folder of it, whether they exist or not.
 *
 * @param folder absolute, in the home
 * @returns absolute paths
 */
export function listedPlacesIn(
  folder: string,
  home: string,
  overlays: readonly Overlay[],
): readonly string[] {
  const below = namesOf(folder).slice(namesOf(home).length);
  return listedBelow(below, overlays).map((names) => `${home}/${names.join('/')}`);
}

/** False if no listed place with one of these meanings has such a last name, wherever it lies. */
export function mayMean(name: string, overlays: readonly Overlay[]): boolean {
  return listedNames(name).some((one) => overlays.includes(one));
}

function namesOf(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '');
}
