import { fieldsOf, stringField } from './error-fields.ts';

const DEPTH = 8;
const NETWORK_CODE =
  /^(E[A-Z]+|UND_ERR_[A-Z_]+|CERT_[A-Z_]+|ERR_(TLS|SSL)_[A-Z_]+|DEPTH_ZERO_[A-Z_]+|SELF_SIGNED_[A-Z_]+|UNABLE_TO_[A-Z_]+)$/;

/**
 * Our own, for ports that `fetch` never connects to: its error has no code.
 * https://fetch.spec.whatwg.org/#port-blocking
 */
export const BAD_PORT = 'BAD_PORT';

/**
 * The code of a broken connection, found along the error's causes; undefined for any other error.
 */
export function networkCodeOf(error: unknown): string | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < DEPTH && current !== undefined; depth += 1) {
    const code = stringField(current, 'code');
    if (current instanceof Error && code !== undefined && NETWORK_CODE.test(code)) return code;
    if (current instanceof Error && current.message === 'bad port') return BAD_PORT;
    const causes = fieldsOf(current)['errors'];
    current = Array.isArray(causes) ? causes[0] : fieldsOf(current)['cause'];
  }
  return undefined;
}
