export const OFFLINE_PROVIDER = 'offline';
/** The one model of the offline provider. */
export const OFFLINE_MODEL = 'rules';
/** Tokens that fit into one of its requests. */
export const OFFLINE_CONTEXT_WINDOW = 128_000;
