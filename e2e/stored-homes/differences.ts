/**
 * Where two JSON values differ.
 *
 * @returns lines `path: before -> now`; of a list that has more at its end than before one line, `path grew`
 */
export function differences(before: unknown, now: unknown, path = ''): readonly string[] {
  if (Array.isArray(before) && Array.isArray(now)) {
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
