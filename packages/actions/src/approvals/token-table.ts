import { faultPoint } from '@bulkhead/protocol';
import type { Tables } from '@bulkhead/sessions';

/**
 * The issued tokens, and which are used. The content of a token is only in the signed token itself.
 */
export interface TokenTable {
  /** @param expires milliseconds since the epoch. @throws BulkheadError `store_failed` */
  add(nonce: string, expires: number): void;
  /**
   * Marks a token as used, in one transaction, even if other processes have the database open.
   * @returns false if it was used before, or was never added
   * @throws BulkheadError `store_failed`: the mark may or may not be stored
   */
  use(nonce: string, now: number): boolean;
}

/**
 * Deletes tokens that have expired by `now`: a token missing from the table cannot be used. A power
 * loss may take the last rows, but it also ends the engine whose key signed them.
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
    // One statement decides: of several attempts, only one changes the row.
    use: (nonce, at) => change(() => mark.run(at, nonce).changes === 1),
  };
}
