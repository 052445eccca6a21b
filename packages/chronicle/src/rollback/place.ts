import {
  type Descriptor,
  giveFreeName,
  makeFolderEntry,
  openFolderBelow,
  removeFolderEntry,
  systemCode,
} from '@bulkhead/files';
import { namesOfText } from '../path-names.ts';
import { Surprise } from './surprise.ts';

/** A name in an open folder. */
export interface Place extends Disposable {
  readonly folder: Descriptor;
  readonly name: Buffer;
}

/** Opens the parent folder of a path. @throws Surprise if a folder on the path has changed */
export function placeOf(root: Descriptor, path: string): Place {
  const names = namesOfText(path);
  const name = names.at(-1);
  const folder = openFolderBelow(root, names.slice(0, -1));
  if (name === undefined || folder === undefined) {
    folder?.[Symbol.dispose]();
    throw new Surprise('its folder is gone, or is a link now');
  }
  return { folder, name, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

/** @throws Surprise if the name exists */
export function makeFolder({ folder, name }: Place): void {
  try {
    makeFolderEntry(folder, name);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw new Surprise('was made anew meanwhile');
    throw error;
  }
}

/** @throws Surprise if it is not empty */
export function removeFolder({ folder, name }: Place): void {
  try {
    removeFolderEntry(folder, name);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOTEMPTY' || code === 'EEXIST') throw new Surprise('holds something that came meanwhile');
    throw error;
  }
}

/** @throws Surprise if the name exists */
export function giveName({ folder, name }: Place, fresh: Buffer): void {
  try {
    giveFreeName(folder, fresh, name);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw new Surprise('was made anew meanwhile');
    throw error;
  }
}
