const MAX_LINE = 4_096;
/** Where what is quoted depends on more than quotes. */
const BEYOND_QUOTES = /[\n`#]|\$[({'"]|<<|\[\[|\(\(/;
const QUOTED = /\\.|'[^']*'|"(?:[^"\\]|\\.)*"/gs;
/** A redirection without a file: `ps <pid>`. */
const NO_TARGET = /[<>]\s*(?:$|;|\s[|&)])/;

/**
 * True if every POSIX shell refuses a line before anything of it runs: a quotation that does not end, a redirection to
 * nothing (IEEE Std 1003.1, 2.2 and 2.10). Read by itself, so that it does not hang on the parser that failed; only what is
 * plain is told, and all else is not.
 */
export function isRefusedByShell(command: string): boolean {
  if (command.length > MAX_LINE || BEYOND_QUOTES.test(command)) return false;
  const bare = command.replaceAll(QUOTED, 'q');
  return /['"]/.test(bare) || NO_TARGET.test(bare);
}
