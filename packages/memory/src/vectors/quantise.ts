const LARGEST = 127;

/**
 * A vector with one byte for each number, scaled to its largest one: only angles are compared, not
 * lengths.
 */
export function quantise(vector: Float32Array): Int8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return largest === 0
    ? new Int8Array(vector.length)
    : Int8Array.from(vector, (value) => Math.round((value / largest) * LARGEST));
}

/** Cosine of the angle, from whole numbers: the same on every machine. 0 if either is all zero. */
export function cosine(a: Int8Array, b: Int8Array): number {
  let product = 0;
  let ofA = 0;
  let ofB = 0;
  for (let at = 0; at < a.length; at += 1) {
    const x = a[at] ?? 0;
    const y = b[at] ?? 0;
    product += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return product === 0 ? 0 : product / Math.sqrt(ofA * ofB);
}

/** The signs of its numbers, 32 in each word, the first in the lowest bit. */
export function signBits(vector: Int8Array): Uint32Array {
  const bits = new Uint32Array(Math.ceil(vector.length / 32));
  for (const [at, value] of vector.entries()) {
    if (value > 0) bits[at >>> 5] = ((bits[at >>> 5] ?? 0) | (1 << (at & 31))) >>> 0;
  }
  return bits;
}
