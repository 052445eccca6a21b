import { BulkheadError } from '@bulkhead/protocol';

const HEADER_BYTES = 5;

/**
 * Length-prefixed messages, framed as in gRPC: one byte of flags (0: not compressed), four of
 * length.
 */
export function encodeFrames(messages: readonly Uint8Array[]): Buffer {
  const total = messages.reduce((sum, { length }) => sum + HEADER_BYTES + length, 0);
  const out = Buffer.allocUnsafe(total);
  let at = 0;
  for (const message of messages) {
    out[at] = 0;
    out.writeUInt32BE(message.length, at + 1);
    out.set(message, at + HEADER_BYTES);
    at += HEADER_BYTES + message.length;
  }
  return out;
}

/** Cuts a byte stream into messages. Holds at most the received part of one incomplete message. */
export class FrameReader {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #held = 0;

  /** @param maxBytes largest message accepted */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** True between two messages, where a stream may end. */
  get idle(): boolean {
    return this.#held === 0;
  }

  /**
   * @returns the messages that `chunk` completes
   * @throws BulkheadError `protocol_violation` for a compressed message or one over the limit
   */
  push(chunk: Uint8Array): Uint8Array[] {
    this.#parts.push(chunk);
    this.#held += chunk.length;
    const messages: Uint8Array[] = [];
    for (;;) {
      const length = this.#nextLength();
      if (length === undefined || this.#held < HEADER_BYTES + length) return messages;
      const whole = this.#joined();
      messages.push(whole.subarray(HEADER_BYTES, HEADER_BYTES + length));
      const rest = whole.subarray(HEADER_BYTES + length);
      this.#parts = rest.length > 0 ? [rest] : [];
      this.#held = rest.length;
    }
  }

  #nextLength(): number | undefined {
    if (this.#held < HEADER_BYTES) return undefined;
    const first = this.#parts[0];
    const start = first !== undefined && first.length >= HEADER_BYTES ? first : this.#joined();
    const header = new DataView(start.buffer, start.byteOffset, HEADER_BYTES);
    if (header.getUint8(0) !== 0) throw new BulkheadError('protocol_violation', 'a compressed message came');
    const length = header.getUint32(1);
    if (length > this.#maxBytes) {
      throw new BulkheadError('protocol_violation', `a message of ${length} bytes came, over the limit`);
    }
    return length;
  }

  #joined(): Uint8Array {
    const [first] = this.#parts;
    if (this.#parts.length === 1 && first !== undefined) return first;
    const whole = Buffer.concat(this.#parts);
    this.#parts = [whole];
    return whole;
  }
}
