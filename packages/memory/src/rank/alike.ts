const SHORTEST = 4;

/**
 * Returns a function for the similarity of a term's spelling to others: the share of common
 * trigrams of ` term ` (Dice), 0 to 1. Short terms and numbers have no similarity, only equality.
 */
export function alikeTo(term: string): (other: string) => number {
  const own = trigrams(term);
  return (other) => {
    // Even if the longer one contains all of the shorter one, the common share is too small.
    if (own.size === 0 || other.length > 3 * term.length) return 0;
    const grams = trigrams(other);
    let shared = 0;
    for (const gram of grams) if (own.has(gram)) shared += 1;
    return grams.size === 0 ? 0 : (2 * shared) / (own.size + grams.size);
  };
}

function trigrams(term: string): ReadonlySet<string> {
  const found = new Set<string>();
  if (term.length < SHORTEST || /^\d/u.test(term)) return found;
  const padded = ` ${term} `;
  for (let at = 0; at + 3 <= padded.length; at += 1) found.add(padded.slice(at, at + 3));
  return found;
}
