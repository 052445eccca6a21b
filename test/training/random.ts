/**
 * Numbers from 0 up to 1 that are the same everywhere for one seed (mulberry32). For training,
 * never for secrets.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** One of some. @throws RangeError if the list is empty */
export function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError('nothing to pick from');
  return item;
}

/** In a random order (Fisher and Yates). */
export function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  const rest = [...items];
  const order: Item[] = [];
  while (rest.length > 0) {
    const at = Math.floor(random() * rest.length);
    const last = rest.pop();
    if (last === undefined) break;
    const chosen = rest[at];
    if (at < rest.length && chosen !== undefined) {
      order.push(chosen);
      rest[at] = last;
    } else order.push(last);
  }
  return order;
}
