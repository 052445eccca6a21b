import type { Config } from '@bulkhead/home/config/config-schema';

/** Keys, dotted, in which two configurations differ; a list is one value. */
export function differentKeys(left: Config, right: Config): readonly string[] {
  const before = leavesOf(left, '');
  const after = leavesOf(right, '');
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].filter((key) => before.get(key) !== after.get(key));
}

function leavesOf(value: object, prefix: string): ReadonlyMap<string, string> {
  const leaves = Object.entries(value).flatMap(([name, member]: [string, unknown]): [string, string][] => {
    const isGroup = typeof member === 'object' && member !== null && !Array.isArray(member);
    if (isGroup) return [...leavesOf(member, `${prefix}${name}.`)];
    return member === undefined ? [] : [[`${prefix}${name}`, JSON.stringify(member)]];
  });
  return new Map(leaves);
}
