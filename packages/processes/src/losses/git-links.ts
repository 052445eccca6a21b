import type { GitObject, ObjectType } from './git-objects.ts';

/** An object that another one names. */
export interface GitLink {
  readonly type: ObjectType;
  /** Hex. */
  readonly name: string;
}

const FOLDER_MODE = '40000';
const SUBMODULE_MODE = '160000';

/** Entries of a tree, a character a byte in names; commits of submodules lie elsewhere. */
export function treeEntries(bytes: Buffer): readonly (GitLink & { readonly file: string })[] {
  const entries: (GitLink & { readonly file: string })[] = [];
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(0x20, at);
    const end = blank < 0 ? -1 : bytes.indexOf(0, blank);
    if (end < 0) break;
    const mode = bytes.toString('latin1', at, blank);
    const name = bytes.toString('hex', end + 1, end + 21);
    const file = bytes.toString('latin1', blank + 1, end);
    if (mode !== SUBMODULE_MODE) entries.push({ file, name, type: mode === FOLDER_MODE ? 'tree' : 'blob' });
    at = end + 21;
  }
  return entries;
}

/** Objects that an object names: a commit its tree and its parents, a tag its object, a tree what it holds. */
export function linksOf({ type, bytes }: GitObject): readonly GitLink[] {
  if (type === 'blob') return [];
  if (type === 'tree') return treeEntries(bytes);
  const head = bytes.toString('latin1').split('\n\n', 1)[0] ?? '';
  if (type === 'tag') {
    const [, name = '', of = ''] = /^object ([0-9a-f]{40})\ntype (commit|tree|blob|tag)$/m.exec(head) ?? [];
    return of === 'commit' || of === 'tree' || of === 'blob' || of === 'tag' ? [{ type: of, name }] : [];
  }
  const trees = [...head.matchAll(/^tree ([0-9a-f]{40})$/gm)].map(
    ([, name = '']) => ({ type: 'tree', name }) as const,
  );
  const parents = [...head.matchAll(/^parent ([0-9a-f]{40})$/gm)].map(
    ([, name = '']) => ({ type: 'commit', name }) as const,
  );
  return [...trees, ...parents];
}
