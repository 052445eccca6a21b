/** Chooses which of `options` events is next: 0 is the first. */
export type Choose = (options: number) => number;

/**
 * Plays a world once for every sequence of choices: depth first, each time from its beginning, so
 * that a world needs no copy of itself (stateless search, Godefroid, POPL 1997). The world must do
 * the same for the same choices, and come to an end.
 *
 * @param limit plays after which the search gives up; a world that is larger than its author
 *   thought is an error
 * @returns how many plays there were
 */
export async function explore(play: (choose: Choose) => Promise<void>, limit: number): Promise<number> {
  const path: { taken: number; readonly options: number }[] = [];
  for (let plays = 1; plays <= limit; plays += 1) {
    let depth = 0;
    await play((options) => {
      const known = path[depth];
      depth += 1;
      if (known === undefined) path.push({ taken: 0, options });
      else if (known.options !== options) throw new Error('the world is not the same for the same choices');
      return known?.taken ?? 0;
    });
    if (!advance(path)) return plays;
  }
  throw new Error(`there are more than ${limit} plays`);
}

/**
 * Plays a world several times with different choices: a share of `explore`.
 *
 * @param below returns a number from 0 up to, but without, its argument
 */
export async function sample(
  play: (choose: Choose) => Promise<void>,
  plays: number,
  below: (end: number) => number,
): Promise<void> {
  for (let done = 0; done < plays; done += 1) await play(below);
}

/** Advances to the next sequence. @returns false if there is none */
function advance(path: { taken: number; readonly options: number }[]): boolean {
  for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
    last.taken += 1;
    if (last.taken < last.options) return true;
    path.pop();
  }
  return false;
}
