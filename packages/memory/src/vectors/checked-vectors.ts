import { quantise } from './quantise.ts';

/** An embedder's answer without valid vectors. */
export class UnusableVectors extends Error {}

/**
 * Validates an embedder's vectors: a server may return anything.
 * @returns one vector for each text, all of one length, in bytes
 * @throws UnusableVectors with the problem
 */
export function checkedVectors(given: readonly Float32Array[], texts: number): readonly Int8Array[] {
  if (given.length !== texts) throw new UnusableVectors(`it gave ${given.length} vectors for ${texts} texts`);
  const length = given[0]?.length ?? 0;
  if (length === 0 || length > MOST_NUMBERS)
    throw new UnusableVectors(`it gave a vector of ${length} numbers`);
  if (given.some((vector) => vector.length !== length))
    throw new UnusableVectors('it gave vectors of several lengths');
  if (given.some((vector) => !vector.every(Number.isFinite)))
    throw new UnusableVectors('it gave what is no number');
  return given.map(quantise);
}

const MOST_NUMBERS = 16_384;
