/** Values and lines of one file that are looked for in output; a person's settings have fewer. */
const MOST = 300;
/** Shorter ones occur in ordinary text. */
const LEAST = 8;
/** Longest value or line: a certificate in one line is shorter. */
const LONGEST = 16 * 1024;
/** Names of settings whose value is hidden even if it is a word. */
const SECRET_NAME = /pass|secret|token|key|auth|cred|pwd|pin|salt|dsn|private|session|cookie|license/i;
const COMMENT = /^(?:[#;]|\/\/)/;
const SETTING = /^(?:export\s+)?["']?([^\s=:"']+(?::[^\s=]+)?)["']?\s*[=:]\s*(.*)$/;
const NUMBER = /^[\d.,:+-]+(?:[a-z]{1,3}|%)?$/i;
const WORDS = /^[\p{L}\p{M}]+(?:[ _./,:-]+[\p{L}\p{M}\d]+)*[.!?]?$/u;
const URL_WITHOUT_CREDENTIALS = /^[a-z][a-z\d+.-]*:\/\/[^\s@?#]*$/i;
const PATH = /^(?:~|\.{1,2})?(?:\/[\w.@+-]+)+\/?$/;

/**
 * The parts of a file of settings that must not be shown: what its values are, as programs read them
 * in any usual form (dotenv, ini, npmrc, JSON), and whole lines that are none of these. Ordinary words,
 * numbers, paths and addresses without credentials stay, unless their name says that they are secret:
 * then the whole line is one.
 *
 * @returns undefined if there are too many or too long ones: then the file must not be shown
 */
export function secretValues(text: string): readonly string[] | undefined {
  const found = new Set<string>();
  for (const value of [...ofLines(text), ...quotedOverLines(text), ...ofJson(text)]) {
    if (value.length < LEAST) continue;
    if (value.length > LONGEST) return undefined;
    found.add(value);
  }
  return found.size > MOST ? undefined : [...found];
}

function ofLines(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/).flatMap((each) => {
    const line = each.trim();
    if (line === '' || line === '{' || line === '}') return [];
    // A value that a person has commented out is a key of yesterday.
    const said = line.replace(COMMENT, '').trim();
    const [, name = '', rest] = SETTING.exec(said) ?? [];
    if (rest === undefined) return COMMENT.test(line) || isOrdinary(line) ? [] : [line];
    const values = readings(rest);
    const secret = values.filter((value) => !isOrdinary(value));
    const isShort = secret.some((value) => value.length < LEAST);
    const isNamed = SECRET_NAME.test(name) && values.some((value) => value !== '');
    return [...secret, ...(isShort || isNamed ? [line, said] : [])];
  });
}

/** As the parsers of the common libraries read it, each in its way. */
function readings(rest: string): readonly string[] {
  const whole = rest.trim().replace(/,$/, '').trim();
  const quoted = /^(["'`])(.*)\1/s.exec(whole)?.[2];
  const plain = whole.replace(/\s+[#;].*$/, '').trim();
  const inner = quoted === undefined ? [] : [quoted, unescaped(quoted)];
  return [...new Set([...inner, ...(quoted === undefined ? [plain, whole] : []), unquoted(plain)])].filter(
    (value) => value !== '',
  );
}

function unquoted(text: string): string {
  return text.replace(/^["'`]+|["'`]+$/g, '');
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([nrt"'\\$])/g, (_, code: string) => ESCAPES[code] ?? code);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** A value in quotes that goes on over lines, as a key: as a whole, and each of its lines. */
function quotedOverLines(text: string): readonly string[] {
  return [...text.matchAll(/[=:]\s*(["'`])([^"'`]*\n[^"'`]*)\1/g)].flatMap(([, , value = '']) => [
    value,
    ...value.split('\n').map((line) => line.trim()),
  ]);
}

function ofJson(text: string): readonly string[] {
  try {
    return textsOf(JSON.parse(text), 0).filter((value) => !isOrdinary(value));
  } catch {
    return [];
  }
}

function textsOf(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 20) return [];
  return Object.values(value).flatMap((member) => textsOf(member, depth + 1));
}

/** Nothing that one could log in with. A word as a password is hidden by the name before it. */
function isOrdinary(value: string): boolean {
  if (/^[[{].*[\]}]$/.test(value)) return /^[[{]\s*[\]}]$|^\[[\w .:-]+\]$/.test(value);
  return NUMBER.test(value) || URL_WITHOUT_CREDENTIALS.test(value) || PATH.test(value) || isWords(value);
}

/** Words of letters, and short ones with digits, as `node20` or `eu-west-1`; random text is none. */
function isWords(value: string): boolean {
  if (!WORDS.test(value)) return false;
  return value
    .split(/[ _./,:!?-]+/)
    .every((word) => word.length <= 16 && !(/\d/.test(word) && word.length > 8));
}
