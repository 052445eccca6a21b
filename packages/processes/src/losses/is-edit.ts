/** A content keeps this share of its words or blocks, or it is gone. */
const KEPT_SHARE = 0.5;
/** And this share of its pairs of neighbours: as many stay if half of the words, anywhere, do. */
const KEPT_PAIRS = KEPT_SHARE ** 2;
/** Beyond this, blocks are compared at their places instead of words. */
const MAX_WORDS_BYTES = 2 * 1024 ** 2;
const BLOCK_BYTES = 4_096;
const SMALL_BLOCK_BYTES = 64;
/** Of a hash that distinguishes words. */
const PRIME = 0x01000193;
const START = 0x811c9dc5;

/**
 * True if a new content is an edited form of an old one: most words are still there, and enough of them
 * beside the same word: sorted words are another text. Layout and punctuation don't count, so neither does a
 * formatter's work. Bytes above ASCII belong to words. Bytes with a zero among them (UTF-16, most binary
 * data) have no words and are compared in blocks.
 */
export function isEdit(before: Buffer, after: Buffer): boolean {
  if (before.length > MAX_WORDS_BYTES) return keepsBlocks(before, after, BLOCK_BYTES);
  return before.includes(0) ? keepsBlocks(before, after, SMALL_BLOCK_BYTES) : keepsWords(before, after);
}

/** Blocks of zeros hold nothing that could be kept. */
function keepsBlocks(before: Buffer, after: Buffer, size: number): boolean {
  const zeros = Buffer.alloc(size);
  let total = 0;
  let kept = 0;
  for (let at = 0; at < before.length; at += size) {
    const block = before.subarray(at, at + size);
    if (block.equals(zeros.subarray(0, block.length))) continue;
    total += 1;
    if (block.equals(after.subarray(at, at + block.length))) kept += 1;
  }
  return total > 0 && kept >= total * KEPT_SHARE;
}

function keepsWords(before: Buffer, after: Buffer): boolean {
  const old = featuresOf(before);
  const now = featuresOf(after);
  if (old.words.size === 0) return before.length === 0;
  return share(old.words, now.words) >= KEPT_SHARE && share(old.pairs, now.pairs) >= KEPT_PAIRS;
}

type Counts = Map<number, number>;

/** The part of the old ones that is among the new ones; all of nothing. */
function share(old: Counts, now: Counts): number {
  let total = 0;
  let kept = 0;
  for (const [feature, count] of old) {
    total += count;
    kept += Math.min(count, now.get(feature) ?? 0);
  }
  return total === 0 ? 1 : kept / total;
}

/** Each word, and each pair of neighbours, with its number. */
function featuresOf(bytes: Buffer): { readonly words: Counts; readonly pairs: Counts } {
  const words: Counts = new Map();
  const pairs: Counts = new Map();
  let previous: number | undefined;
  let word = START;
  let isInWord = false;
  const end = (): void => {
    count(words, word);
    if (previous !== undefined) count(pairs, Math.imul(previous, PRIME) ^ word);
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
  return { words, pairs };
}

function count(counts: Counts, feature: number): void {
  counts.set(feature, (counts.get(feature) ?? 0) + 1);
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
