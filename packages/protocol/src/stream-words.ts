/** Stands for every session where one is watched. */
export const ALL_SESSIONS = '*';

/** Close code of a WebSocket whose proof, a login or a token, has ended. */
export const PROOF_ENDED = 4401;
