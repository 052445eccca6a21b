/**
 * Seeded random numbers: the same seed gives the same numbers on every machine.
 *
 * xoshiro128** 1.1 (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021,
 * https://prng.di.unimi.it/); its state is filled by a Weyl sequence through the 32-bit finaliser
 * of MurmurHash3. For tests only: the numbers are predictable.
 */
export class SeededRandom {
  readonly #state: Uint32Array;

  /** @param seed any safe integer */
  constructor(seed: number) {
    const low = seed >>> 0;
    const high = Math.floor(seed / 2 ** 32) >>> 0;
    this.#state = Uint32Array.from([1, 2, 3, 4], (place) => mixed((low + place * 0x9e3779b9) ^ mixed(high)));
  }

  /** At least 0, below 1. */
  next(): number {
    const state = this.#state;
    const [a = 0, b = 0, c = 0, d = 0] = state;
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    state[0] = a ^ d ^ b;
    state[1] = b ^ c ^ a;
    state[2] = c ^ a ^ (b << 9);
    state[3] = rotated(d ^ b, 11);
    return result / 2 ** 32;
  }

  /** An integer at least 0 and below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** An integer from `first` to `last`, both included. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of a list that isn't empty. */
  pick<const T>(list: readonly [T, ...T[]] | readonly T[]): T {
    const at = this.below(list.length);
    if (at in list) return list[at] as T;
    throw new Error('there is nothing to pick from');
  }

  /** One of the names, with a probability according to its weight. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
    const names = Object.keys(weights) as T[];
    let rest = this.next() * names.reduce((sum, name) => sum + weights[name], 0);
    for (const name of names) {
      rest -= weights[name];
      if (rest < 0) return name;
    }
    throw new Error('there is nothing to choose from');
  }
}

function rotated(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function mixed(value: number): number {
  let hash = value >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
