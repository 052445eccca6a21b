const MEBIBYTE = 1024 * 1024;

/** Limits for the connection to one boxed process, in bytes. */
export interface WireLimits {
  /** Largest message that the engine accepts. */
  readonly toEngine: number;
  /** Largest message that the boxed process accepts. */
  readonly fromEngine: number;
  /** Bytes that either side may queue for a peer that doesn't read. */
  readonly queued: number;
}

/** An agent's request contains its input, so its input limit is higher than its output limit. */
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

/** Bytes of one link that may be read ahead of the consumer; beyond that the peer is held back. */
export const UNREAD_BYTES = MEBIBYTE;
