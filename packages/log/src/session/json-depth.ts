/**
 * How deeply arrays and objects of a JSON text are nested, without parsing it: recursion on a hostile text would
 * end in a stack overflow somewhere. For a text that is no JSON the number means nothing, and is as cheap: one pass, whatever is
 * not closed.
 */
export function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    // An escaped character closes no string.
    if (character === '\\' && isInString) at += 1;
    else if (character === '"') isInString = !isInString;
    else if (!isInString) {
      depth += STEPS[character ?? ''] ?? 0;
      deepest = Math.max(deepest, depth);
    }
  }
  return deepest;
}

const STEPS: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };
