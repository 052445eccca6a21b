/**
 * Splits a line into words: separated by blanks, joined by single or double quotes. An unterminated
 * quote includes the rest. Linear in the text.
 */
export function splitArguments(line: string): string[] {
  const words: string[] = [];
  let word = '';
  let open: '"' | "'" | undefined;
  let begun = false;
  for (const character of line) {
    if (open !== undefined) {
      if (character === open) open = undefined;
      else word += character;
    } else if ((character === '"' || character === "'") && !begun) {
      // Inside a word it is an apostrophe.
      open = character;
      begun = true;
    } else if (/\s/.test(character)) {
      if (begun) words.push(word);
      word = '';
      begun = false;
    } else {
      word += character;
      begun = true;
    }
  }
  if (begun) words.push(word);
  return words;
}
