/** English takes 4 letters a token and names in code 2 to 3: 2 is above both. */
const LETTERS_PER_TOKEN = 2;

/**
 * An upper bound of a text's tokens for any model: an estimate for reserving money, not a count.
 * Letters and spaces are half a token each; digits and signs one each; all else one per byte of its
 * UTF-8.
 */
export function estimateTokens(text: string): number {
  let letters = 0;
  let others = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (isLetterOrSpace(unit)) letters += 1;
    else others += bytesOf(unit);
  }
  return Math.ceil(letters / LETTERS_PER_TOKEN) + others;
}

function isLetterOrSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a);
}

/** Half of a surrogate pair is half of four bytes. */
function bytesOf(unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
}
