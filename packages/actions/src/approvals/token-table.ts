import { faultPoint } from '@bulkhead/protocol';
import type { Tables } from '@bulkhead/sessions';

/** Which tokens there are, and which of them were used. Holds nothing of what they allow: that is in the signed token. */
export interface TokenTable {
  /** @param expires milliseconds since the epoch. @throws BulkheadError `store_failed` */
  add(nonce: string, expires: number): void;
  /**
   * Marks a token as used, in one transaction, whoever else has the database open.
   * @returns false if it was used before, or was never added
   * @throws BulkheadError `store_failed`: it is not known then whether it is marked
   */
  use(nonce: string, now: number): boolean;
}

/**
 * What has expired by `now` is forgotten: a token that is not in the table can't be used. A loss of power may take the
 * last rows, and ends the engine whose key signed them.
 *
 * @throws BulkheadError `store_failed`
 */
export function createTokenTable({ prepare, write }: Tables, now: number): TokenTable {
  write(false, () => prepare('DELETE FROM approvals_tokens WHERE expires <= ?').run(now));
  const insert = prepare('INSERT INTO approvals_tokens (nonce, expires) VALUES (?, ?)');
  const mark = prepare('UPDATE approvals_tokens SET used = ? WHERE nonce = ? AND used IS NULL');
  const change = <T>(run: () => T): T =>
    write(false, () => {
      faultPoint('approvals.before_write');
      return run();
    });
  return {
    add: (nonce, expires) => void change(() => insert.run(nonce, expires)),
    // One statement decides: of several that try, one changes the row.
    use: (nonce, at) => change(() => mark.run(at, nonce).changes === 1),
  };
}
