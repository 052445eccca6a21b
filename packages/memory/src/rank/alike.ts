const SHORTEST = 4;

/**
 * How alike two terms are written: the share of trigrams of ` term ` that they have in common (Dice), 0 to 1. Short terms and numbers
 * have none: they are the same or they are different.
 */
export function alike(one: string, other: string): number {
  const [a, b] = [trigrams(one), trigrams(other)];
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const gram of a) if (b.has(gram)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}

function trigrams(term: string): ReadonlySet<string> {
  const found = new Set<string>();
  if (term.length < SHORTEST || /^\d/u.test(term)) return found;
  const padded = ` ${term} `;
  for (let at = 0; at + 3 <= padded.length; at += 1) found.add(padded.slice(at, at + 3));
  return found;
}
