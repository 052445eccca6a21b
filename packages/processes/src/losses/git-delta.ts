/**
 * The content that a delta of a pack makes of its base (gitformat-pack(5), "Deltified representation").
 *
 * @throws RangeError for a delta that is none of this base, or makes more than `most` bytes
 */
export function applyDelta(base: Buffer, delta: Buffer, most: number): Buffer {
  let at = 0;
  const next = (): number => {
    const byte = delta[at++];
    if (byte === undefined) throw new RangeError('the delta ends too early');
    return byte;
  };
  const size = (): number => {
    let value = 0;
    let scale = 1;
    for (let byte = 0x80; byte & 0x80; scale *= 128) {
      byte = next();
      value += (byte & 0x7f) * scale;
    }
    return value;
  };
  /** Bytes that a mask names, the lowest first. */
  const masked = (mask: number, count: number): number => {
    let value = 0;
    for (let bit = 0; bit < count; bit += 1) if (mask & (1 << bit)) value += next() * 256 ** bit;
    return value;
  };
  if (size() !== base.length) throw new RangeError('the delta has another base');
  const total = size();
  if (total > most) throw new RangeError('the delta makes too much');
  const made = Buffer.alloc(total);
  let filled = 0;
  const put = (from: Buffer, start: number, length: number): void => {
    if (start + length > from.length || filled + length > total)
      throw new RangeError('the delta reads too far');
    filled += from.copy(made, filled, start, start + length);
  };
  while (at < delta.length) {
    const order = next();
    if (order & 0x80) {
      const start = masked(order & 0x0f, 4);
      put(base, start, masked(order >> 4, 3) || 0x10000);
    } else {
      if (order === 0) throw new RangeError('the delta has an unknown order');
      put(delta, at, order);
      at += order;
    }
  }
  if (filled !== total) throw new RangeError('the delta makes too little');
  return made;
}
