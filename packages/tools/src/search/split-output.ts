/**
 * Pieces between separators in a stream of bytes; a longer piece than `maxBytes` is dropped and
 * yields undefined once.
 */
export async function* splitOutput(
  chunks: AsyncIterable<Buffer>,
  separator: number,
  maxBytes: number,
): AsyncGenerator<Buffer | undefined> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = chunk.indexOf(separator); at >= 0; at = chunk.indexOf(separator, start)) {
      const piece = chunk.subarray(start, at);
      yield bytes + piece.length > maxBytes ? undefined : Buffer.concat([...parts, piece]);
      parts = [];
      bytes = 0;
      start = at + 1;
    }
    const rest = chunk.subarray(start);
    bytes += rest.length;
    if (bytes > maxBytes) parts = [];
    else if (rest.length > 0) parts.push(rest);
  }
  if (bytes > 0) yield bytes > maxBytes ? undefined : Buffer.concat(parts);
}
