const MAGIC = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);
const FANOUT_AT = 8;
const NAMES_AT = FANOUT_AT + 256 * 4;
const HASH_BYTES = 20;
const LARGE = 0x80000000;

/** The index of a pack of git objects (version 2, SHA-1), as gitformat-pack(5) describes it. */
export class PackIndex {
  readonly #bytes: Buffer;
  readonly count: number;

  private constructor(bytes: Buffer, count: number) {
    this.#bytes = bytes;
    this.count = count;
  }

  /** @returns undefined for anything else, or if its end is missing */
  static read(bytes: Buffer): PackIndex | undefined {
    if (bytes.length < NAMES_AT || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
    const count = bytes.readUInt32BE(NAMES_AT - 4);
    return bytes.length >= NAMES_AT + count * (HASH_BYTES + 8) + 2 * HASH_BYTES
      ? new PackIndex(bytes, count)
      : undefined;
  }

  /** Name of an object, hex. */
  nameOf(at: number): string {
    const start = NAMES_AT + at * HASH_BYTES;
    return this.#bytes.toString('hex', start, start + HASH_BYTES);
  }

  /** Where an object begins in its pack. @param name hex */
  offsetOf(name: string): number | undefined {
    const wanted = Buffer.from(name, 'hex');
    const first = wanted[0] ?? 0;
    let low = first === 0 ? 0 : this.#bytes.readUInt32BE(FANOUT_AT + (first - 1) * 4);
    let high = Math.min(this.#bytes.readUInt32BE(FANOUT_AT + first * 4), this.count);
    while (low < high) {
      const middle = (low + high) >>> 1;
      const start = NAMES_AT + middle * HASH_BYTES;
      const order = this.#bytes.compare(wanted, 0, HASH_BYTES, start, start + HASH_BYTES);
      if (order === 0) return this.#offsetAt(middle);
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  #offsetAt(at: number): number | undefined {
    const offsets = NAMES_AT + this.count * (HASH_BYTES + 4);
    const offset = this.#bytes.readUInt32BE(offsets + at * 4);
    if (offset < LARGE) return offset;
    const large = offsets + this.count * 4 + (offset - LARGE) * 8;
    if (large + 8 > this.#bytes.length) return undefined;
    return Number(this.#bytes.readBigUInt64BE(large));
  }
}
