/**
 * Settings that only identify people, remotes and branches: none of them names a program, a file to
 * include or a way to run one.
 */
const HARMLESS: Readonly<Record<string, ReadonlySet<string>>> = {
  remote: new Set(['url', 'pushurl', 'fetch', 'tagopt', 'prune']),
  branch: new Set(['remote', 'merge', 'pushremote', 'rebase', 'description']),
  user: new Set(['name', 'email']),
};

/**
 * The form that git itself writes; with any other form that git accepts, the file cannot be judged.
 */
const SECTION = /^\[([A-Za-z][A-Za-z0-9-]*)(?: "([^"\\[\]\p{C}]{1,200})")?\]$/u;
const SETTING = /^[ \t]+([A-Za-z][A-Za-z0-9-]*)(?:[ \t]*=[ \t]*(.*))?$/;
const COMMENT = /^[ \t]*(?:[#;].*)?$/;
/**
 * A value that git reads unchanged: no quotes, escapes, trailing comment or invisible characters.
 */
const PLAIN_VALUE = /^[^"\\#;\p{C}]{0,500}$/u;

/** Values of each setting in their order, by `section.name.key`. */
type Settings = ReadonlyMap<string, readonly string[]>;

/**
 * The differences between two texts of a repository's `config`, if all are harmless.
 *
 * @returns a clause for each changed setting; undefined if one is not harmless, or a text cannot be
 * judged
 */
export function harmlessSettings(before: string, after: string): readonly string[] | undefined {
  const [old, now] = [settingsOf(before), settingsOf(after)];
  if (old === undefined || now === undefined) return undefined;
  const clauses: string[] = [];
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const values = now.get(key);
    if (same(old.get(key), values)) continue;
    if (!isHarmless(key, values ?? [])) return undefined;
    clauses.push(values === undefined ? `${shown(key)} removed` : `${shown(key)} = ${values.join(', ')}`);
  }
  return clauses;
}

function settingsOf(text: string): Settings | undefined {
  const settings = new Map<string, string[]>();
  let section: string | undefined;
  for (const line of text.split('\n')) {
    if (COMMENT.test(line) && !line.endsWith('\\')) continue;
    const head = SECTION.exec(line);
    if (head !== null) {
      section = `${head[1]?.toLowerCase()}\0${head[2] ?? ''}`;
      continue;
    }
    const setting = SETTING.exec(line);
    // A line with this end continues in the next one.
    if (setting === null || section === undefined || line.endsWith('\\')) return undefined;
    const key = `${section}\0${setting[1]?.toLowerCase()}`;
    const values = settings.get(key);
    if (values === undefined) settings.set(key, [setting[2] ?? '']);
    else values.push(setting[2] ?? '');
  }
  return settings;
}

function isHarmless(key: string, values: readonly string[]): boolean {
  const [section = '', , name = ''] = key.split('\0');
  return HARMLESS[section]?.has(name) === true && values.every(isPlainValue);
}

/** `ext::` and similar forms name a program; a leading dash makes an option of one. */
function isPlainValue(value: string): boolean {
  return PLAIN_VALUE.test(value) && !value.includes('::') && !value.startsWith('-');
}

function same(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return a?.length === b?.length && (a ?? []).every((value, at) => value === b?.[at]);
}

function shown(key: string): string {
  return key.split('\0').filter(Boolean).join('.');
}
