/** `a`, `a or b`, `a, b or c`. */
export function enumerate(words: readonly string[], before: 'and' | 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${before} ${words.at(-1)}`;
}
