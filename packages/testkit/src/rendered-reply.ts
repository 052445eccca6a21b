/** A reply in the bytes of a wire format. */
export interface RenderedReply {
  /** Each is one server-sent event. */
  readonly chunks: readonly string[];
  /** Of `chunks`, the index of repeated text deltas. */
  readonly repeatAt: number;
  /** The event of one repeated delta; empty if the reply repeats nothing. */
  readonly repeated: string;
}
