/** Longer than the head of any entry, and than what a compression that does not help adds. */
export const ENTRY_BYTES = 1_024;

const BY_DISTANCE = 6;
const BY_NAME = 7;
const HASH_BYTES = 20;

/** The base of a delta: an entry that many bytes before it, or any object. */
type PackBase =
  | { readonly type: 'before'; readonly distance: number }
  | { readonly type: 'named'; readonly name: string };

/** The head of an entry of a pack (gitformat-pack(5)). */
export interface PackEntry {
  /** 1 to 4: commit, tree, blob, tag. */
  readonly kind: number;
  /** Of the unpacked bytes. */
  readonly size: number;
  /** Where the packed bytes begin. */
  readonly at: number;
  readonly base?: PackBase;
}

/** @param bytes from the entry's begin on */
export function packEntry(bytes: Buffer): PackEntry {
  let at = 0;
  const next = (): number => bytes[at++] ?? 0;
  let byte = next();
  const kind = (byte >> 4) & 7;
  let size = byte & 15;
  for (let scale = 16; byte & 0x80; scale *= 128) {
    byte = next();
    size += (byte & 0x7f) * scale;
  }
  if (kind === BY_NAME) {
    const name = bytes.toString('hex', at, at + HASH_BYTES);
    return { kind, size, at: at + HASH_BYTES, base: { type: 'named', name } };
  }
  if (kind !== BY_DISTANCE) return { kind, size, at };
  byte = next();
  let distance = byte & 0x7f;
  while (byte & 0x80) {
    byte = next();
    distance = (distance + 1) * 128 + (byte & 0x7f);
  }
  return { kind, size, at, base: { type: 'before', distance } };
}
