import type { Setting } from '@bulkhead/protocol/client';

/** Settings that belong together. */
export interface SettingGroup {
  readonly name: string;
  readonly settings: readonly Setting[];
}

/** By the first part of their keys, in the order they come in. */
export function groupsOf(settings: readonly Setting[]): readonly SettingGroup[] {
  const groups = Map.groupBy(settings, ({ key }) => key.split('.')[0] ?? key);
  return [...groups].map(([name, members]) => ({ name: inWords(name), settings: members }));
}

/** `firstTokenSeconds` of `timeouts.firstTokenSeconds`, as `First token seconds`. */
export function nameOf({ key }: Setting): string {
  return inWords(key.split('.').at(-1) ?? key);
}

function inWords(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
