const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** True if SQLite says that the file's content is wrong: such a file is made anew, other errors are not mended by that. */
export function saysDamaged(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false;
  const primary = error.errcode & 0xff;
  return primary === CORRUPT || primary === NOT_A_DATABASE;
}
