import type { BigIntStats } from 'node:fs';
import type { Clock } from '@bulkhead/protocol';
import { objectId } from './object-id.ts';

/** How long a walk answers at most. */
const KEPT_MS = 2_000;
/** An object that changed so shortly before a walk may have been linked while the walk went on. */
const MARGIN_MS = 1_000;
/** The time of day may move so far against the other clock before a walk is not believed any more. */
const STEP_MS = 200;

/** An open object, and when a name of it was made or taken away last: never later than its change time. */
export type LinkedObject = Pick<BigIntStats, 'dev' | 'ino' | 'ctimeNs'>;

interface Walk {
  readonly found: ReadonlySet<string>;
  readonly began: { readonly now: number; readonly monotonic: number };
}

/**
 * Tells whether an open object is among those that a walk through folders finds, as of now. An inode is given to another
 * file when its last one is gone, so nothing is remembered: a walk begins after the question. Only for an object that was
 * neither made, linked nor renamed since a little before the last walk, that walk says the same as a new one, and is asked
 * for two seconds: a search meets thousands of such files.
 *
 * The caller holds the objects open: else their inodes could be given to others meanwhile.
 */
export class RecentWalk {
  readonly #walk: () => Promise<ReadonlySet<string>>;
  readonly #clock: Clock;
  #last: Walk | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<Walk> | undefined;

  /** @param walk finds objects, as `objectId` names them */
  constructor(walk: () => Promise<ReadonlySet<string>>, clock: Clock) {
    this.#walk = walk;
    this.#clock = clock;
  }

  /**
   * @param mayWalk asked if the last walk does not answer
   * @returns for each object whether a walk finds it, in order; that it does where a walk would be needed and may not be made
   * @throws what the walk throws
   */
  async finds(
    objects: readonly LinkedObject[],
    mayWalk: () => boolean = () => true,
  ): Promise<readonly boolean[]> {
    const last = this.#last;
    const isKnown = last !== undefined && this.#isRecent(last) && objects.every((one) => isOlder(one, last));
    if (!isKnown && !mayWalk()) return objects.map(() => true);
    const { found } = isKnown ? last : await this.#anew();
    return objects.map((object) => found.has(objectId(object)));
  }

  /** One walk answers all that were asked before it began. */
  #anew(): Promise<Walk> {
    this.#next ??= this.#running.then(async () => {
      this.#next = undefined;
      const began = { now: this.#clock.now(), monotonic: this.#clock.monotonic() };
      const walking = this.#walk();
      this.#running = walking.catch(() => undefined);
      this.#last = { found: await walking, began };
      return this.#last;
    });
    return this.#next;
  }

  #isRecent({ began }: Walk): boolean {
    const passed = this.#clock.monotonic() - began.monotonic;
    return passed <= KEPT_MS && Math.abs(this.#clock.now() - began.now - passed) <= STEP_MS;
  }
}

function isOlder({ ctimeNs }: LinkedObject, { began }: Walk): boolean {
  return Number(ctimeNs / 1_000_000n) < began.now - MARGIN_MS;
}
