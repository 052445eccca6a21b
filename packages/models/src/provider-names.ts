export const OFFLINE_PROVIDER = 'offline';
/** The one model of the offline provider. */
export const OFFLINE_MODEL = 'rules';
/** Tokens of one of its requests at most. */
export const OFFLINE_CONTEXT_WINDOW = 128_000;
