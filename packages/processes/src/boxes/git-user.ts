/** The author of commits in a git configuration. */
export interface GitUser {
  readonly name?: string;
  readonly email?: string;
}

/** Lines that are read. */
const MAX_LINES = 2_000;
/** Characters of a line that are read. */
const MAX_LINE = 1_000;
/** Longest value; git itself would take more. */
const MAX_VALUE = 200;

/** `[user]` in any case, without a subsection; a setting may follow it. */
const SECTION = /^\s*\[\s*([A-Za-z0-9.-]+)\s*(?:"[^"]*"\s*)?\](.*)$/;
const USER = /^\s*\[\s*user\s*\]/i;
const SETTING = /^\s*(name|email)\s*=(.*)$/i;
const TOKEN = /\\.?|["#;]|[^\\"#;]+/g;
/** Escapes of characters that can be part of a name. */
const ESCAPES: ReadonlySet<string> = new Set(['\\"', '\\\\']);
const REMARK = /^[#;]$/;
/** Control characters, and the delimiters of an address in git. */
const UNUSABLE = /[\p{C}<>]/u;

/**
 * `user.name` and `user.email` of a git configuration; the last of several counts. Includes are
 * ignored, and so is a value that is not a plain line of text.
 *
 * Source of the syntax: git-config(1), "Syntax".
 */
export function gitUser(text: string): GitUser {
  const found = new Map<string, string>();
  let isUser = false;
  for (const whole of text.split('\n', MAX_LINES)) {
    const line = whole.slice(0, MAX_LINE);
    const section = SECTION.exec(line);
    if (section !== null) isUser = USER.test(line);
    const setting = isUser ? SETTING.exec(section?.[2] ?? line) : null;
    const value = plainValue(setting?.[2] ?? '');
    if (value !== undefined) found.set((setting?.[1] ?? '').toLowerCase(), value);
  }
  const [name, email] = [found.get('name'), found.get('email')];
  return { ...(name === undefined ? {} : { name }), ...(email === undefined ? {} : { email }) };
}

/**
 * Without quotes and remarks; undefined for a value that continues in the next line or can't be
 * part of a commit.
 */
function plainValue(raw: string): string | undefined {
  let value = '';
  let isQuoted = false;
  for (const [token] of raw.matchAll(TOKEN)) {
    if (token === '"') isQuoted = !isQuoted;
    else if (token.startsWith('\\')) {
      if (!ESCAPES.has(token)) return undefined;
      value += token.slice(1);
    } else if (!isQuoted && REMARK.test(token)) break;
    else value += token;
  }
  const text = value.trim();
  const isUsable = !isQuoted && text !== '' && text.length <= MAX_VALUE && !UNUSABLE.test(text);
  return isUsable ? text : undefined;
}
