import { BulkheadError } from '@bulkhead/protocol';
import { scratchPlace } from './scratch-place.ts';

/**
 * Whether a command's changes can wait until they are judged, by working folder: they can't where they have no place to
 * wait. Told once for each folder and kept, so that a command runs as it was judged: a place that goes later refuses it,
 * one that comes later is not used before the engine starts again.
 */
export class HeldBack {
  readonly #homeScratch: string;
  readonly #known = new Map<string, string | undefined>();

  /** @param homeScratch existing folder of the home; without links in it */
  constructor(homeScratch: string) {
    this.#homeScratch = homeScratch;
  }

  /**
   * @param workingFolder absolute, existing
   * @returns why changes there are made at once; undefined if they are held back
   */
  problem(workingFolder: string): string | undefined {
    if (!this.#known.has(workingFolder)) this.#known.set(workingFolder, this.#look(workingFolder));
    return this.#known.get(workingFolder);
  }

  #look(workingFolder: string): string | undefined {
    try {
      scratchPlace(workingFolder, this.#homeScratch);
      return undefined;
    } catch (error) {
      const known = BulkheadError.from(error);
      // A folder that isn't there any more has another problem, which is told when the command begins.
      return known.code === 'not_available' ? known.message : undefined;
    }
  }
}
