import type { HomeLayout } from '@bulkhead/protocol';

/** Where memory lies in a home. */
export interface MemoryPlaces {
  /** The profile's folder: the user's own files. */
  readonly profile: string;
  /** Who wrote which line, and what waits for a person. No view: it can't be made again. */
  readonly records: string;
  /** A view of the files: it can be deleted. */
  readonly index: string;
}

export function memoryPlaces({ root, state }: HomeLayout): MemoryPlaces {
  return {
    profile: `${root}/profiles/default`,
    records: `${state}/memory.db`,
    index: `${state}/memory-index.db`,
  };
}
