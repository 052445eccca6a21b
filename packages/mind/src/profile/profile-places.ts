import { DEFAULT_PROFILE } from '@bulkhead/home/config/profile-name';
import type { HomeLayout } from '@bulkhead/protocol';

/** Where a profile lies, and what the engine keeps of it. */
export interface ProfilePlaces {
  /** The user's own files. */
  readonly folder: string;
  /** Folder of the engine's records of it: who wrote which line of memory, which skills were confirmed. */
  readonly records: string;
}

/** @param name a valid one */
export function profilePlaces(
  { root, state }: Pick<HomeLayout, 'root' | 'state'>,
  name: string,
): ProfilePlaces {
  return {
    folder: `${root}/profiles/${name}`,
    records: name === DEFAULT_PROFILE ? state : `${state}/profiles/${name}`,
  };
}
