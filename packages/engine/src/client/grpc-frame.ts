import { BulkheadError } from '@bulkhead/protocol';

const HEADER_BYTES = 5;
/** Bigger than any event line: a guard against reading nonsense as a length. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** One gRPC message: a zero for "not compressed", four bytes of length, the message. */
export function encodeFrame(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(HEADER_BYTES + message.length);
  new DataView(frame.buffer).setUint32(1, message.length);
  frame.set(message, HEADER_BYTES);
  return frame;
}

/**
 * Cuts a byte stream into gRPC messages, wherever its chunks end.
 * @throws BulkheadError `protocol_violation` for a compressed, oversized or half message
 */
export async function* decodeFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let size = frameSize(rest); size !== undefined && size <= rest.length; size = frameSize(rest)) {
      yield rest.subarray(HEADER_BYTES, size);
      rest = rest.subarray(size);
    }
  }
  if (rest.length > 0) throw new BulkheadError('protocol_violation', 'the engine sent half a message');
}

/** Bytes of the first frame, header included; undefined while its header isn't complete. */
function frameSize(bytes: Uint8Array): number | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const length = view.getUint32(1);
  if (view.getUint8(0) !== 0 || length > MAX_MESSAGE_BYTES) {
    throw new BulkheadError(
      'protocol_violation',
      'the engine sent something that is not a plain gRPC message',
    );
  }
  return HEADER_BYTES + length;
}
