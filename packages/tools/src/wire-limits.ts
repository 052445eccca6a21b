/** Largest message between engine and worker: a `write` at its limit, escaped as JSON, with room to spare. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
