/**
 * Resolves a path in a tree without a file system, by the rules of path_resolution(7) and of the
 * file tools. It works differently from the walk, to be compared with it (FT11). Names are text.
 */

export type Tree = ReadonlyMap<string, TreeNode>;

/** A folder's names, a file's content, or a link's target. */
export type TreeNode = Tree | { readonly content: string } | { readonly target: string };

/** Content of a file, or the code of the refusal. */
export type Meaning = string;

const MAX_PATH_BYTES = 4_096;
const MAX_NAME_BYTES = 255;
const MAX_LINKS = 40;
const MAX_DEPTH = 200;

/** A tree, and the facts about its names. */
export interface NamedTree {
  readonly tree: Tree;
  /** Absolute paths that resolve into the tree. */
  readonly rootName: string;
  readonly isProtected: (name: string) => boolean;
}

/** A folder with those above it, and the number of links followed to reach it. */
interface Place {
  readonly above: readonly Tree[];
  readonly here: Tree;
  readonly links: number;
}

export function meaningOf(world: NamedTree, path: string): Meaning {
  if (path === '' || path.includes('\0') || Buffer.byteLength(path) > MAX_PATH_BYTES)
    return 'invalid_arguments';
  const start = path.startsWith('/') ? insideOf(path, world.rootName) : path;
  if (start === undefined) return 'blocked';
  return meaningFrom(world, { above: [], here: world.tree, links: 0 }, start);
}

/** The rest of an absolute path below the root; `..` is not a name of the root. */
function insideOf(path: string, rootName: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const root = rootName.split('/').slice(1);
  if (!root.every((name, at) => parts[at] === name)) return undefined;
  const end = /(?:^|\/)\.{0,2}$/.test(path) ? ['.'] : [];
  return [...parts.slice(root.length), ...end].join('/') || '.';
}

function meaningFrom(world: NamedTree, place: Place, path: string): Meaning {
  const slash = path.indexOf('/');
  const name = slash < 0 ? path : path.slice(0, slash);
  // Undefined: the name is the last one. Empty: it must be a folder.
  const rest = slash < 0 ? undefined : path.slice(slash + 1).replace(/^(?:\.?\/)+/, '');
  if (name === '' || name === '.') return goOn(world, place, rest);
  if (name === '..') {
    const parent = place.above.at(-1);
    if (parent === undefined) return 'blocked';
    return goOn(world, { ...place, above: place.above.slice(0, -1), here: parent }, rest);
  }
  return meaningOfName(world, place, name, rest);
}

/** Result for a folder: a path that ends at a folder has no content. */
function goOn(world: NamedTree, place: Place, rest: string | undefined): Meaning {
  return rest === undefined || place.above.length > MAX_DEPTH
    ? 'tool_failed'
    : meaningFrom(world, place, rest);
}

function meaningOfName(world: NamedTree, place: Place, name: string, rest: string | undefined): Meaning {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return 'tool_failed';
  const node = place.here.get(name);
  if (node instanceof Map)
    return goOn(world, { ...place, above: [...place.above, place.here], here: node }, rest);
  if (rest === undefined && world.isProtected(name)) return 'blocked';
  if (node === undefined) return 'tool_failed';
  if ('target' in node) return meaningOfLink(world, place, node.target, rest);
  return rest === undefined && 'content' in node ? node.content : 'tool_failed';
}

function meaningOfLink(world: NamedTree, place: Place, target: string, rest: string | undefined): Meaning {
  const links = place.links + 1;
  if (links > MAX_LINKS) return 'tool_failed';
  const absolute = target.startsWith('/');
  const inside = absolute ? insideOf(target, world.rootName) : target;
  if (inside === undefined) return 'blocked';
  const from = absolute ? { above: [], here: world.tree, links } : { ...place, links };
  return meaningFrom(world, from, rest === undefined ? inside : `${inside}/${rest}`);
}
