/** A reply in the bytes of a wire format. */
export interface RenderedReply {
  /** One server-sent event each. */
  readonly chunks: readonly string[];
  /** Of `chunks`, the index where repeated text deltas belong. */
  readonly repeatAt: number;
  /** The event of one repeated delta; empty if the reply repeats nothing. */
  readonly repeated: string;
}
