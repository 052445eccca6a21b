import type { CommandEffects, ObservedChange } from '@bulkhead/protocol';

/** A new file, or what `fields` make of it. */
export function observed(path: string, fields: Partial<ObservedChange> = {}): ObservedChange {
  return {
    path: Buffer.from(path),
    what: 'created',
    kind: 'file',
    was: 'missing',
    mode: 0o644,
    wasMode: 0,
    size: 1,
    wasSize: 0,
    links: 0,
    ...fields,
  };
}

export const folder = { kind: 'folder', mode: 0o755 } as const;
export const changed = { what: 'changed', was: 'file', wasMode: 0o644, links: 1 } as const;
export const deleted = {
  what: 'deleted',
  kind: 'missing',
  was: 'file',
  mode: 0,
  wasMode: 0o644,
  size: 0,
} as const;

export function effectsOf(changes: readonly ObservedChange[]): CommandEffects {
  return { status: 0, changes, problems: [], notes: [] };
}

export function linkTo(target: string): Partial<ObservedChange> {
  return { kind: 'link', mode: 0o777, target: Buffer.from(target) };
}
