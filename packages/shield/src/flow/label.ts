import { TRUST_LEVELS, type Trust } from '../annotations/flow-policy.ts';
import { SECRECY_LEVELS, type Secrecy } from '../annotations/tool-annotation.ts';

/** How secret a value is, and how far it is the user's own word [F1]. */
export interface Label {
  readonly secrecy: Secrecy;
  readonly trust: Trust;
}

/** What a session begins with: nothing has been read. */
export const CLEAN: Label = { secrecy: 'public', trust: 'user' };

/** A label that was stored; undefined for what is none. */
export function readLabel(stored: { readonly secrecy: unknown; readonly trust: unknown }): Label | undefined {
  const secrecy = SECRECY_LEVELS.find((level) => level === stored.secrecy);
  const trust = TRUST_LEVELS.find((level) => level === stored.trust);
  return secrecy === undefined || trust === undefined ? undefined : { secrecy, trust };
}

/** The label of what is made of both: as secret as the more secret, as foreign as the more foreign. */
export function joinLabels(a: Label, b: Label): Label {
  return {
    secrecy: isAtLeast(a.secrecy, b.secrecy) ? a.secrecy : b.secrecy,
    trust: TRUST_LEVELS.indexOf(a.trust) >= TRUST_LEVELS.indexOf(b.trust) ? a.trust : b.trust,
  };
}

/** True if `level` is as secret as `floor`, or more. */
export function isAtLeast(level: Secrecy, floor: Secrecy): boolean {
  return SECRECY_LEVELS.indexOf(level) >= SECRECY_LEVELS.indexOf(floor);
}

/**
 * Labels of what outlives a session: files by absolute path, and other stores by name. Kept by the engine, beside what
 * they label; a label follows copies and moves, of folders with all below them [F2].
 */
export interface LabelStore {
  /** The label of a file, with that of every folder above it; undefined if none has one. */
  get(key: string): Label | undefined;
  /** Sets the label, or takes it away where what was there has been replaced by something without. */
  set(key: string, label: Label | undefined): void;
  copy(from: string, to: string): void;
  move(from: string, to: string): void;
  /** The same, with that of everything below; undefined if there is none. */
  below(folder: string): Label | undefined;
  /** All of them, as plain data. */
  entries(): readonly (readonly [string, Label])[];
}

/** Labels in memory: for tests, traces, and as a cache before a durable one. */
export function createLabelStore(entries: Iterable<readonly [string, Label]> = []): LabelStore {
  const labels = new Map<string, Label>(entries);
  const isBelow = (key: string, folder: string): boolean =>
    key === folder || folder === '.' || key.startsWith(`${folder.replace(/\/$/u, '')}/`);
  const joinOf = (accept: (key: string) => boolean): Label | undefined => {
    const found = [...labels].filter(([key]) => accept(key)).map(([, label]) => label);
    return found.length === 0 ? undefined : found.reduce(joinLabels);
  };
  const joined = (found: readonly (Label | undefined)[]): Label | undefined =>
    found
      .filter((label) => label !== undefined)
      .reduce<Label | undefined>(
        (all, label) => (all === undefined ? label : joinLabels(all, label)),
        undefined,
      );
  const copy = (from: string, to: string): void => {
    for (const key of [...labels.keys()].filter((each) => isBelow(each, to))) labels.delete(key);
    for (const [key, label] of [...labels])
      if (isBelow(key, from)) labels.set(`${to}${key.slice(from.length)}`, label);
  };
  return {
    get: (key) => joined(foldersOf(key).map((each) => labels.get(each))),
    set: (key, label) => {
      if (label === undefined) labels.delete(key);
      else labels.set(key, label);
    },
    copy,
    move: (from, to) => {
      copy(from, to);
      for (const key of [...labels.keys()]) if (isBelow(key, from)) labels.delete(key);
    },
    below: (folder) => joinOf((each) => isBelow(folder, each) || isBelow(each, folder)),
    entries: () => [...labels],
  };
}

/** A path and every folder above it, as labels are kept by: asked one by one, so that a look-up costs the depth and not the number of labels. */
function foldersOf(path: string): readonly string[] {
  const found = [path, '.', '/'];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    found.push(path.slice(0, end), `${path.slice(0, end)}/`);
  }
  return [...new Set(found)];
}
