export const OFFLINE_PROVIDER = 'offline';
/** The one model of the offline provider. */
export const OFFLINE_MODEL = 'rules';
