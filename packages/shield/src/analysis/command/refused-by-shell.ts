const MAX_LINE = 4_096;
/** Here quoting depends on more than quotes. */
const BEYOND_QUOTES = /[\n`#]|\$[({'"]|<<|\[\[|\(\(/;
const QUOTED = /\\.|'[^']*'|"(?:[^"\\]|\\.)*"/gs;
/** A redirection without a file: `ps <pid>`. */
const NO_TARGET = /[<>]\s*(?:$|;|\s[|&)])/;

/**
 * True if every POSIX shell refuses a line before running any part of it: an unterminated
 * quotation, or a redirection without a target (IEEE Std 1003.1, 2.2 and 2.10). Independent of the
 * parser, which failed on this text; recognizes plain cases only.
 */
export function isRefusedByShell(command: string): boolean {
  if (command.length > MAX_LINE || BEYOND_QUOTES.test(command)) return false;
  const bare = command.replaceAll(QUOTED, 'q');
  return /['"]/.test(bare) || NO_TARGET.test(bare);
}
