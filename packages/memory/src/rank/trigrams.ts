const SHORTEST = 4;

/** The trigrams of ` term `. Short terms and numbers have none: they are the same or they are different, never alike. */
export function trigrams(term: string): ReadonlySet<string> {
  const found = new Set<string>();
  if (term.length < SHORTEST || /^\d/u.test(term)) return found;
  const padded = ` ${term} `;
  for (let at = 0; at + 3 <= padded.length; at += 1) found.add(padded.slice(at, at + 3));
  return found;
}
