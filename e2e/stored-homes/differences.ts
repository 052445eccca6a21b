/**
 * Where two JSON values differ.
 *
 * @returns lines `path: before -> now`; of a list that has more at its end than before one line, `path grew`
 */
export function differences(before: unknown, now: unknown, path = ''): readonly string[] {
  if (Array.isArray(before) && Array.isArray(now)) {
    const names = [namesIn(before), namesIn(now)] as const;
    if (names[0] !== undefined && names[1] !== undefined) return differences(names[0], names[1], path);
    const own = before.flatMap((one, at) => differences(one, now[at], `${path}[${at}]`));
    return now.length > before.length ? [...own, `${path} grew`] : own;
  }
  if (isRecord(before) && isRecord(now)) {
    const names = new Set([...Object.keys(before), ...Object.keys(now)]);
    return [...names].flatMap((name) => differences(before[name], now[name], `${path}.${name}`));
  }
  if (JSON.stringify(before) === JSON.stringify(now)) return [];
  return [`${path}: ${JSON.stringify(before)} -> ${JSON.stringify(now)}`];
}

/** Fields that name an element of a list, where elements have names. */
const NAMES = ['key', 'sessionId', 'session'];

/** A list of named things by their names: its order does not matter. */
function namesIn(list: readonly unknown[]): Readonly<Record<string, unknown>> | undefined {
  for (const name of NAMES) {
    const names = list.map((one) => (isRecord(one) ? one[name] : undefined));
    const isUnique = new Set(names).size === list.length && list.length > 1;
    if (isUnique && names.every((one) => typeof one === 'string'))
      return Object.fromEntries(list.map((one, at) => [String(names[at]), one]));
  }
  return undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
