/** Who commits, as a git configuration says it. */
export interface GitUser {
  readonly name?: string;
  readonly email?: string;
}

/** Lines that are looked at. */
const MAX_LINES = 2_000;
/** Characters of a line that are looked at. */
const MAX_LINE = 1_000;
/** Longest value; git itself would take more. */
const MAX_VALUE = 200;

/** `[user]` in any case, with no name of its own; a setting may stand behind it. */
const SECTION = /^\s*\[\s*([A-Za-z0-9.-]+)\s*(?:"[^"]*"\s*)?\](.*)$/;
const USER = /^\s*\[\s*user\s*\]/i;
const SETTING = /^\s*(name|email)\s*=(.*)$/i;
const TOKEN = /\\.?|["#;]|[^\\"#;]+/g;
/** Those that stand for a character which can be part of a name. */
const ESCAPES: ReadonlySet<string> = new Set(['\\"', '\\\\']);
const REMARK = /^[#;]$/;
/** Neither a control character nor what git uses to set an address apart. */
const UNUSABLE = /[\p{C}<>]/u;

/**
 * `user.name` and `user.email` of a git configuration; the last of several counts. Nothing is included, and a value that is no plain line of
 * text counts for nothing.
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

/** Without quotes and remarks; undefined for one that goes on in the next line, or can't stand in a commit. */
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
