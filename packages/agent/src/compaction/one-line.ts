/** Text on one line, with a limit of characters and without hidden ones. */
export function oneLine(text: string, most: number): string {
  // Cut first, to avoid work on the rest of a giant text.
  const line = text
    .slice(0, most * 4)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
}
