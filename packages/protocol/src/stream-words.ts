/** In place of a session: watches every session. */
export const ALL_SESSIONS = '*';

/** Close code of a WebSocket whose proof, a login or a token, has ended. */
export const PROOF_ENDED = 4401;
