/** A content keeps this share of its words and of their neighbourhoods, or it is gone. */
const KEPT_SHARE = 0.5;
/** Beyond this, blocks are compared at their places instead of words. */
const MAX_WORDS_BYTES = 2 * 1024 ** 2;
const BLOCK_BYTES = 4_096;
/** Of a hash that distinguishes words. */
const PRIME = 0x01000193;
const START = 0x811c9dc5;

/**
 * True if a new content is an edited form of an old one: most words are still there, most of them beside
 * the same word. Layout and punctuation don't count, so neither does a formatter's work. Bytes above
 * ASCII belong to words, so the same holds for any text and most binary data.
 */
export function isEdit(before: Buffer, after: Buffer): boolean {
  return before.length > MAX_WORDS_BYTES ? keepsBlocks(before, after) : keepsWords(before, after);
}

function keepsBlocks(before: Buffer, after: Buffer): boolean {
  let kept = 0;
  const blocks = Math.ceil(before.length / BLOCK_BYTES);
  for (let at = 0; at < before.length; at += BLOCK_BYTES) {
    const block = before.subarray(at, at + BLOCK_BYTES);
    if (block.equals(after.subarray(at, at + block.length))) kept += 1;
  }
  return kept >= blocks * KEPT_SHARE;
}

function keepsWords(before: Buffer, after: Buffer): boolean {
  const there = countsOf(after);
  let total = 0;
  let kept = 0;
  eachFeature(before, (feature) => {
    total += 1;
    const left = there.get(feature) ?? 0;
    if (left === 0) return;
    kept += 1;
    there.set(feature, left - 1);
  });
  return total > 0 ? kept >= total * KEPT_SHARE : before.length === 0;
}

function countsOf(bytes: Buffer): Map<number, number> {
  const counts = new Map<number, number>();
  eachFeature(bytes, (feature) => counts.set(feature, (counts.get(feature) ?? 0) + 1));
  return counts;
}

/** Each word, and each pair of neighbours. */
function eachFeature(bytes: Buffer, tell: (feature: number) => void): void {
  let previous = 0;
  let word = START;
  let isInWord = false;
  const end = (): void => {
    tell(word);
    if (previous !== 0) tell(Math.imul(previous, PRIME) ^ word);
    previous = word;
    word = START;
    isInWord = false;
  };
  for (const byte of bytes) {
    if (isWordByte(byte)) {
      word = Math.imul(word ^ byte, PRIME);
      isInWord = true;
    } else if (isInWord) {
      end();
    }
  }
  if (isInWord) end();
}

function isWordByte(byte: number): boolean {
  if (byte >= 0x80) return true;
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x5f
  );
}
