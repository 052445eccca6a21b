/** Text on one line, at most so many characters, nothing hidden in it. */
export function oneLine(text: string, most: number): string {
  // Cut first: the rest of a giant text is nobody's business.
  const line = text
    .slice(0, most * 4)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
}
