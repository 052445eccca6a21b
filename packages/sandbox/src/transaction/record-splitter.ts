import { BulkheadError } from '@bulkhead/protocol';

/** Longest path and link target that a kernel accepts, plus the fields before them. */
const MAX_RECORD_BYTES = 16 * 1024;

/**
 * Splits a stream of chunks into records that end with NUL. Keeps at most one unfinished record.
 */
export class RecordSplitter {
  #held: Uint8Array[] = [];
  #heldBytes = 0;

  /** True if the stream may end here. */
  get isWhole(): boolean {
    return this.#heldBytes === 0;
  }

  /** @throws BulkheadError `protocol_violation` for a record longer than the limit */
  *add(chunk: Uint8Array): Generator<Uint8Array> {
    let rest = chunk;
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      this.#hold(rest.subarray(0, end));
      const record = Buffer.concat(this.#held);
      this.#held = [];
      this.#heldBytes = 0;
      rest = rest.subarray(end + 1);
      yield record;
    }
    if (rest.length > 0) this.#hold(Uint8Array.from(rest));
  }

  #hold(bytes: Uint8Array): void {
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > MAX_RECORD_BYTES) {
      throw new BulkheadError('protocol_violation', 'a record of the launcher is too long');
    }
    this.#held.push(bytes);
  }
}
