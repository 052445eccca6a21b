const FIXED_BYTES = 62;
const NAME_AT = 40;
const HASH_BYTES = 20;
const EXTENDED = 0x4000;

/**
 * Names of the blobs that an index of git lists (gitformat-index(5), versions 2 to 4, SHA-1), hex.
 *
 * @returns undefined if it is no whole index
 */
export function indexedBlobs(bytes: Buffer): ReadonlySet<string> | undefined {
  if (bytes.length < 12 + HASH_BYTES || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (version < 2 || version > 4) return undefined;
  const end = bytes.length - HASH_BYTES;
  const blobs = new Set<string>();
  let at = 12;
  for (let entry = 0; entry < count; entry += 1) {
    if (at + FIXED_BYTES > end) return undefined;
    blobs.add(bytes.toString('hex', at + NAME_AT, at + NAME_AT + HASH_BYTES));
    const next = nextEntry(bytes, at, version);
    if (next === undefined) return undefined;
    at = next;
  }
  return blobs;
}

/** Where the entry after this one begins. */
function nextEntry(bytes: Buffer, at: number, version: number): number | undefined {
  const flags = bytes.readUInt16BE(at + FIXED_BYTES - 2);
  const start = at + FIXED_BYTES + (version >= 3 && (flags & EXTENDED) !== 0 ? 2 : 0);
  const stop = bytes.indexOf(0, version === 4 ? afterNumber(bytes, start) : start);
  if (stop < 0) return undefined;
  return version === 4 ? stop + 1 : at + ((stop - at + 8) & ~7);
}

/** Version 4 leaves out what a name has in common with the one before, and says how much differs. */
function afterNumber(bytes: Buffer, start: number): number {
  let at = start;
  while (((bytes[at] ?? 0) & 0x80) !== 0) at += 1;
  return at + 1;
}
