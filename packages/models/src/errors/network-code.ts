import { fieldsOf, stringField } from './error-fields.ts';

const DEPTH = 8;
const NETWORK_CODE =
  /^(E[A-Z]+|UND_ERR_[A-Z_]+|CERT_[A-Z_]+|ERR_(TLS|SSL)_[A-Z_]+|DEPTH_ZERO_[A-Z_]+|SELF_SIGNED_[A-Z_]+|UNABLE_TO_[A-Z_]+)$/;

/** The code of a broken connection, found along the error's causes; undefined if it is none. */
export function networkCodeOf(error: unknown): string | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < DEPTH && current !== undefined; depth += 1) {
    const code = stringField(current, 'code');
    if (current instanceof Error && code !== undefined && NETWORK_CODE.test(code)) return code;
    const causes = fieldsOf(current)['errors'];
    current = Array.isArray(causes) ? causes[0] : fieldsOf(current)['cause'];
  }
  return undefined;
}
