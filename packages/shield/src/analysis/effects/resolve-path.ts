import { displayText, HOLE, isKnown } from './pattern-text.ts';

/** An absolute path in components. */
export interface ResolvedPath {
  /** Without empty names, `.` and `..`; names with markers are patterns. */
  readonly names: readonly string[];
  /** False if the start is unknown: `names` are then the last components. */
  readonly anchored: boolean;
}

/**
 * Resolves a path as the kernel would, except for links.
 *
 * @param text with markers for unknown parts
 * @param from the working folder at this point
 */
export function resolvePath(text: string, from: ResolvedPath): ResolvedPath {
  const absolute = text.startsWith('/');
  const floating = !absolute && text.startsWith(HOLE);
  const start = absolute || floating ? [] : from.names;
  const names: string[] = [...start];
  let anchored = absolute || (!floating && from.anchored);
  for (const name of text.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') {
      names.push(name);
      continue;
    }
    const left = names.pop();
    // An unknown part may have several components, so its parent is unknown.
    if (left?.includes(HOLE)) anchored = false;
  }
  return { names: foldPrefixes(names), anchored };
}

/** Names of macOS for the same places: `/private/etc` is `/etc`. */
function foldPrefixes(names: readonly string[]): readonly string[] {
  const [first, second] = names;
  const folded = first === 'private' && (second === 'etc' || second === 'var' || second === 'tmp');
  return folded ? names.slice(1) : names;
}

/** For people. */
export function pathText({ names, anchored }: ResolvedPath): string {
  return displayText(`${anchored ? '' : '…'}/${names.join('/')}`);
}

/** True if `path` is `folder` or lies in it, as far as both are known. */
export function isWithin(path: readonly string[], folder: readonly string[]): boolean {
  return folder.length <= path.length && folder.every((name, index) => name === path[index]);
}

/** True for `*` and similar: everything in a folder. */
export function isEverything(name: string): boolean {
  return !isKnown(name) && /^[.\uE001\uE002]+$/.test(name);
}
