import { terms } from '../text/terms.ts';
import type { Embedder } from './embedder.ts';

const DIMENSION = 256;
/** Weight of a part of a word, relative to the whole word. */
const PART_WEIGHT = 0.4;
const PART_LENGTH = 3;
/** Shorter words have no parts. */
const LEAST_FOR_PARTS = 4;
/** Most terms of a text; chunks have a few hundred. */
const MOST_TERMS = 2_000;

/** The information of a term: higher for rarer terms. */
export type TermWeight = (term: string) => number;

/**
 * Makes vectors without a model or a download: words and parts of words, each hashed to a few
 * numbers of the vector, so that spellings, compounds and forms of a word are near each other. A
 * chunk's vector depends on its text alone and never changes; a word's weight in the user's own
 * text is applied to the query.
 */
export function ownTextEmbedder(weight: TermWeight): Embedder {
  return {
    id: 'own-text-1',
    dimension: DIMENSION,
    embed: async (texts, purpose) =>
      texts.map((text) => (purpose === 'query' ? embed(text, weight) : embed(text, () => 1))),
  };
}

function embed(text: string, weight: TermWeight): Float32Array {
  const counts = new Map<string, number>();
  for (const term of terms(text).slice(0, MOST_TERMS)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const vector = new Float32Array(DIMENSION);
  for (const [term, count] of counts) {
    const worth = weight(term) * (1 + Math.log(count));
    add(vector, `${term}`, worth);
    if (term.length < LEAST_FOR_PARTS) continue;
    const framed = `<${term}>`;
    for (let at = 0; at + PART_LENGTH <= framed.length; at += 1) {
      add(vector, framed.slice(at, at + PART_LENGTH), worth * PART_WEIGHT);
    }
  }
  return vector;
}

/** Adds a feature at four positions, with its own signs: chance collisions cancel out. */
function add(vector: Float32Array, feature: string, worth: number): void {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < feature.length; at += 1)
    hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01_00_01_93);
  for (let place = 0; place < 4; place += 1) {
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
    hash = Math.imul(hash ^ (hash >>> 12), 0x29_7a_2d_39);
    const at = (hash >>> 8) % DIMENSION;
    vector[at] = (vector[at] ?? 0) + ((hash & 1) === 0 ? worth : -worth);
  }
}
