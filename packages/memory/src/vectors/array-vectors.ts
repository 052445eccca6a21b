import { cosine, signBits } from './quantise.ts';

/**
 * Most numbers of a vector whose signs are kept: a million vectors take 64 MB, whatever their
 * length.
 */
const MOST_SIGNS = 512;

/** Vectors in arrays: complete while few, then one bit for each number. */
export class ArrayVectors implements Disposable {
  readonly #dimension: number;
  readonly #words: number;
  readonly #read: ReadVector;
  readonly #exactUpTo: number;
  #size = 0;
  /** By id; 1 where there is a vector. */
  #has = new Uint8Array(1_024);
  #bits: Uint32Array;
  /** By id; undefined once there are too many. */
  #whole: Map<number, Int8Array> | undefined = new Map();

  /** @param exactUpTo for tests */
  constructor(dimension: number, read: ReadVector, exactUpTo = EXACT_UP_TO) {
    this.#dimension = dimension;
    this.#words = Math.ceil(Math.min(dimension, MOST_SIGNS) / 32);
    this.#read = read;
    this.#exactUpTo = exactUpTo;
    this.#bits = new Uint32Array(this.#has.length * this.#words);
  }

  get size(): number {
    return this.#size;
  }

  set(id: number, vector: Int8Array): void {
    if (vector.length !== this.#dimension) throw new RangeError('a vector of another dimension');
    this.#grow(id + 1);
    if (this.#has[id] === 0) this.#size += 1;
    this.#has[id] = 1;
    this.#bits.set(signBits(vector.subarray(0, MOST_SIGNS)), id * this.#words);
    this.#whole?.set(id, vector);
    if (this.#size > this.#exactUpTo) this.#whole = undefined;
  }

  delete(id: number): void {
    if ((this.#has[id] ?? 0) === 0) return;
    this.#has[id] = 0;
    this.#size -= 1;
    this.#whole?.delete(id);
  }

  has(id: number): boolean {
    return this.#has[id] === 1;
  }

  get(id: number): Int8Array | undefined {
    if (!this.has(id)) return undefined;
    return this.#whole === undefined ? this.#read(id) : this.#whole.get(id);
  }

  /** Nearest first; beyond `EXACT_UP_TO` vectors, among the `RERANKED` with most equal signs. */
  nearest(query: Int8Array, options: NearestOptions): readonly number[] {
    const whole = this.#whole;
    if (whole === undefined) return nearestOf(this.#alike(query, options), query, this.#read, options);
    return nearestOf([...whole.keys()].filter(options.allowed), query, (id) => whole.get(id), options);
  }

  [Symbol.dispose](): void {
    this.#whole = undefined;
    this.#bits = new Uint32Array(0);
    this.#has = new Uint8Array(0);
    this.#size = 0;
  }

  /** Those with most equal signs. */
  #alike(query: Int8Array, { allowed, tie }: NearestOptions): readonly number[] {
    const wanted = signBits(query.subarray(0, MOST_SIGNS));
    const distances = new Uint16Array(this.#has.length).fill(0xffff);
    const counts = new Uint32Array(this.#dimension + 1);
    for (let id = 0; id < this.#has.length; id += 1) {
      if (this.#has[id] === 0 || !allowed(id)) continue;
      const distance = this.#distance(id, wanted);
      distances[id] = distance;
      counts[distance] = (counts[distance] ?? 0) + 1;
    }
    const furthest = reach(counts, RERANKED);
    const found: number[] = [];
    for (let id = 0; id < distances.length; id += 1)
      if ((distances[id] ?? 0xffff) <= furthest) found.push(id);
    const distanceOf = (id: number) => distances[id] ?? 0xffff;
    return found.sort((a, b) => distanceOf(a) - distanceOf(b) || tie(a) - tie(b)).slice(0, RERANKED);
  }

  #distance(id: number, wanted: Uint32Array): number {
    const start = id * this.#words;
    let sum = 0;
    for (let at = 0; at < this.#words; at += 1)
      sum += ones((this.#bits[start + at] ?? 0) ^ (wanted[at] ?? 0));
    return sum;
  }

  #grow(capacity: number): void {
    if (capacity <= this.#has.length) return;
    const next = Math.max(capacity, 2 * this.#has.length);
    const [has, bits] = [this.#has, this.#bits];
    this.#has = new Uint8Array(next);
    this.#has.set(has);
    this.#bits = new Uint32Array(next * this.#words);
    this.#bits.set(bits);
  }
}

/** How many of 32 bits are set. */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55_55_55_55);
  const fours = (pairs & 0x33_33_33_33) + ((pairs >>> 2) & 0x33_33_33_33);
  return Math.imul((fours + (fours >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24;
}

/** The least distance that includes `wanted` vectors, if there are so many. */
function reach(counts: Uint32Array, wanted: number): number {
  let sum = 0;
  for (const [distance, count] of counts.entries()) {
    sum += count;
    if (sum >= wanted) return distance;
  }
  return counts.length;
}

/**
 * Orders candidates by their exact angle to the query, and takes the first. Skips those without a
 * vector.
 */
function nearestOf(
  candidates: readonly number[],
  query: Int8Array,
  read: ReadVector,
  { count, tie }: Pick<NearestOptions, 'count' | 'tie'>,
): readonly number[] {
  return candidates
    .flatMap((id) => {
      const vector = read(id);
      return vector === undefined ? [] : [{ id, similarity: cosine(vector, query) }];
    })
    .sort((a, b) => b.similarity - a.similarity || tie(a.id) - tie(b.id))
    .slice(0, count)
    .map(({ id }) => id);
}

/** Allowed vectors, and the order of equal ones: the same in every index of the same files. */
interface NearestOptions {
  readonly count: number;
  allowed(id: number): boolean;
  tie(id: number): number;
}

/** Reads a chunk's vector from permanent storage. */
export type ReadVector = (id: number) => Int8Array | undefined;

/**
 * Up to this number, a query is compared with every vector; beyond it, that would take
 * milliseconds.
 */
const EXACT_UP_TO = 4_096;

/** Beyond, signs choose this many, which are then compared exactly. */
const RERANKED = 256;
