import { HOLE, ONE, STAR } from '../../effects/pattern-text.ts';

/** One sign of a shell pattern: a character, `*` or `?`. */
function matchesWhole(text: string, pattern: string): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let resume = 0;
  while (from < text.length) {
    const sign = pattern[at];
    if (sign === STAR) {
      star = at;
      at += 1;
      resume = from;
    } else if (sign === ONE || (sign === text[from] && sign !== undefined)) {
      at += 1;
      from += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      from = resume;
    } else return false;
  }
  while (pattern[at] === STAR) at += 1;
  return at === pattern.length;
}

const MAX_LENGTH = 96;

/**
 * Expands `${x#pattern}` and similar.
 *
 * @returns undefined if the pattern or text is too long or unknown
 */
export function removePattern(
  text: string,
  pattern: string,
  operator: '#' | '##' | '%' | '%%',
): string | undefined {
  if (Math.max(text.length, pattern.length) > MAX_LENGTH || pattern.includes(HOLE)) return undefined;
  const front = operator.startsWith('#');
  const lengths = Array.from({ length: text.length + 1 }, (_, index) => index);
  if (operator.length === 2) lengths.reverse();
  const found = lengths.find((length) =>
    matchesWhole(front ? text.slice(0, length) : text.slice(text.length - length), pattern),
  );
  if (found === undefined) return text;
  return front ? text.slice(found) : text.slice(0, text.length - found);
}

/**
 * Expands `${x/pattern/replacement}` and similar, for patterns without wildcards.
 *
 * @returns undefined for patterns with wildcards
 */
export function replacePattern(
  text: string,
  pattern: string,
  replacement: string,
  operator: '/' | '//' | '/#' | '/%',
): string | undefined {
  if (/[\uE000-\uE002]/.test(pattern) || pattern === '') return undefined;
  if (operator === '//') return text.replaceAll(pattern, () => replacement);
  if (operator === '/') return text.replace(pattern, () => replacement);
  if (operator === '/#') return text.startsWith(pattern) ? replacement + text.slice(pattern.length) : text;
  return text.endsWith(pattern) ? text.slice(0, -pattern.length) + replacement : text;
}
