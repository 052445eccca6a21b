import type { Setting } from '@bulkhead/protocol/client';

/** Settings that belong together. */
export interface SettingGroup {
  readonly name: string;
  readonly settings: readonly Setting[];
}

/** By the first part of their keys, in their order. */
export function groupsOf(settings: readonly Setting[]): readonly SettingGroup[] {
  const groups = Map.groupBy(settings, ({ key }) => key.split('.')[0] ?? key);
  return [...groups].map(([name, members]) => ({ name: inWords(name), settings: members }));
}

/**
 * `timeouts.firstTokenSeconds` as `First token seconds`; one word alone is unclear:
 * `Retry enabled`.
 */
export function nameOf({ key }: Setting): string {
  const parts = key.split('.');
  const own = inWords(parts.at(-1) ?? key);
  return own.includes(' ') ? own : inWords(parts.slice(-2).join(' '));
}

function inWords(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
