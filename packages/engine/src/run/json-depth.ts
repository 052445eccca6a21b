/**
 * How deeply arrays and objects of a JSON text are nested, without parsing it: recursion on a hostile text would
 * end in a stack overflow somewhere. For a text that is no JSON the number means nothing, and is as cheap.
 */
export function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.replace(STRING, '').matchAll(BRACKET)) {
    depth += bracket === '{' || bracket === '[' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** A string of a JSON text; linear, for every character has one way to match. */
const STRING = /"(?:[^"\\]|\\.)*"/gs;
const BRACKET = /[[\]{}]/g;
