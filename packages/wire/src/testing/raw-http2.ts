/** Frames of HTTP/2 (RFC 9113) by hand, for what no client library would send. */
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

export const FRAME = { data: 0, headers: 1, settings: 4 } as const;

const END_HEADERS = 4;

export function rawFrame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, payload]);
}

/** A HEADERS frame whose fields are all written out (RFC 7541, 6.2.2). */
export function rawHeaders(stream: number, fields: Readonly<Record<string, string>>): Buffer {
  const block = Object.entries(fields).flatMap(([name, value]) => [
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);
  return rawFrame(FRAME.headers, END_HEADERS, stream, Buffer.concat(block));
}
