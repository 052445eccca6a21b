const MEBIBYTE = 1024 * 1024;

/** What may come and wait on the connection to one boxed process, in bytes. */
export interface WireLimits {
  /** Largest message that the engine accepts. */
  readonly toEngine: number;
  /** Largest message that the boxed process accepts. */
  readonly fromEngine: number;
  /** What either side may have waiting for a peer that doesn't read. */
  readonly queued: number;
}

/** What an agent asks for was built from what it was told, so it is told more than it may say. */
export const AGENT_LIMITS: WireLimits = {
  toEngine: 16 * MEBIBYTE,
  fromEngine: 64 * MEBIBYTE,
  queued: 64 * MEBIBYTE,
};

/** A `write` at its limit, escaped as JSON, with room to spare; several of them may wait. */
export const WORKER_LIMITS: WireLimits = {
  toEngine: 32 * MEBIBYTE,
  fromEngine: 32 * MEBIBYTE,
  queued: 128 * MEBIBYTE,
};

/** Largest message a client accepts from the engine, in bytes: a guard against reading nonsense as a length. */
export const CLIENT_MESSAGE_BYTES = 64 * MEBIBYTE;

/** Largest message a client sends: a message with its images. */
export const CLIENT_REQUEST_BYTES = 24 * MEBIBYTE;

/** What of one link may be read ahead of its consumer, in bytes: beyond that its peer is held back. */
export const UNREAD_BYTES = MEBIBYTE;
