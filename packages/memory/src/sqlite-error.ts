const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/**
 * True if SQLite reports damaged content: such a file is rebuilt, which does not help with other
 * errors.
 */
export function saysDamaged(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false;
  const primary = error.errcode & 0xff;
  return primary === CORRUPT || primary === NOT_A_DATABASE;
}
