import type { Writable } from 'node:stream';

/**
 * A standard stream as the protocol writes to it: piece by piece, each after the previous one was
 * accepted.
 */
export function lineSink(stream: Writable): WritableStream<Uint8Array> {
  return new WritableStream({
    write: (piece) =>
      new Promise<void>((resolve, reject) => {
        stream.write(piece, (error) => (error ? reject(error) : resolve()));
      }),
  });
}
