import type { HomeLayout } from '@bulkhead/protocol';
import { profilePlaces } from '../profile/profile-places.ts';

/** Where memory lies in a home. */
export interface MemoryPlaces {
  /** Of the profile: lines and proposals are kept under it. */
  readonly name: string;
  /** The profile's folder: the user's own files. */
  readonly profile: string;
  /** A view of the files: it can be deleted. */
  readonly index: string;
}

/** @param profile its name; what is remembered in one is not known in another */
export function memoryPlaces(layout: HomeLayout, profile: string): MemoryPlaces {
  const { folder, records } = profilePlaces(layout, profile);
  return {
    name: profile,
    profile: folder,
    index: `${records}/memory-index.db`,
  };
}
