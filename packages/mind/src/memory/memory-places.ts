import type { HomeLayout } from '@bulkhead/protocol';
import { profilePlaces } from '../profile/profile-places.ts';

/** Where memory lies in a home. */
export interface MemoryPlaces {
  /** The profile's folder: the user's own files. */
  readonly profile: string;
  /** Who wrote which line, and what waits for a person. No view: it can't be made again. */
  readonly records: string;
  /** A view of the files: it can be deleted. */
  readonly index: string;
}

/** @param profile its name; what is remembered in one is not known in another */
export function memoryPlaces(layout: HomeLayout, profile: string): MemoryPlaces {
  const { folder, records } = profilePlaces(layout, profile);
  return {
    profile: folder,
    records: `${records}/memory.db`,
    index: `${records}/memory-index.db`,
  };
}
