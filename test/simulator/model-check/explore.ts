/** Asks which of `options` things happens next: 0 is the first of them. */
export type Choose = (options: number) => number;

/**
 * Plays a world once for every sequence of choices it can be given: depth first, each time from its beginning, so that a
 * world needs no copy of itself (stateless search, Godefroid, POPL 1997). The world must do the same for the same choices,
 * and come to an end.
 *
 * @param limit plays after which the search gives up; a world that is larger than its author thought is an error
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
 * Plays a world some times, each by other choices: a share of what `explore` plays.
 *
 * @param below a number of at least 0 and less than what it is given
 */
export async function sample(
  play: (choose: Choose) => Promise<void>,
  plays: number,
  below: (end: number) => number,
): Promise<void> {
  for (let done = 0; done < plays; done += 1) await play(below);
}

/** Goes to the next sequence. @returns false if there is none */
function advance(path: { taken: number; readonly options: number }[]): boolean {
  for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
    last.taken += 1;
    if (last.taken < last.options) return true;
    path.pop();
  }
  return false;
}
