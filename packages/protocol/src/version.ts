/** Version of the product, printed by `--version`. */
export const PRODUCT_VERSION = '0.1.0';

/**
 * Version of the wire between our own processes. Processes with different numbers refuse each
 * other.
 */
export const PROTOCOL_VERSION = 3;

/**
 * Version of a record in the session log: 2 since entries may be marks. Readers refuse higher ones.
 */
export const RECORD_VERSION = 2;
