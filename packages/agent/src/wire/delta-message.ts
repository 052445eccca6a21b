import type { MergeableMessage } from '@bulkhead/wire';

/** A piece of a model's answer on its way. */
export interface Delta {
  readonly kind: 'text' | 'thinking';
  /** Empty where the wire names no request. */
  readonly requestId: string;
  readonly text: string;
}

/** A delta that waits to be sent: takes in neighbours of its kind and request. */
export class DeltaMessage implements MergeableMessage {
  readonly bytes: number;
  readonly #encode: (delta: Delta) => Uint8Array;
  #delta: Delta;

  constructor(delta: Delta, encode: (delta: Delta) => Uint8Array) {
    this.bytes = delta.text.length;
    this.#delta = delta;
    this.#encode = encode;
  }

  absorb(next: MergeableMessage): boolean {
    if (!(next instanceof DeltaMessage)) return false;
    const { kind, requestId, text } = this.#delta;
    if (next.#delta.kind !== kind || next.#delta.requestId !== requestId) return false;
    this.#delta = { kind, requestId, text: text + next.#delta.text };
    return true;
  }

  encode(): Uint8Array {
    return this.#encode(this.#delta);
  }
}
