/**
 * The folders of a repository that git itself fills. Only known shapes of git's files are allowed
 * in them: a folder in there with a `HEAD`, `objects` and `refs` would be another repository, with
 * hooks and settings.
 */
const FOLDERS = new Set(['objects', 'refs', 'logs', 'branches', 'lost-found', 'lfs', 'reftable']);

const HEX = /^[0-9a-f]+$/;
const PAIR = /^[0-9a-f]{2}$/;
const PACK_FILE =
  /^(?:[^.].*\.(?:pack|idx|rev|bitmap|keep|promisor|mtimes|lock)|\.?tmp[-_].*|multi-pack-index[^.]*)$/;
const GRAPH_FILE = /^(?:commit-graph-chain|graph-[0-9a-f]+\.graph|tmp_graph.*)(?:\.lock)?$/;
const OBJECT_INFO = /^(?:packs|commit-graph)(?:\.lock|_\w+)?$/;
const OBJECT_FILE = /^(?:[0-9a-f]+|tmp_obj_.*)$/;
const NOTHING = /^\b$/;
const OBJECT_FILES: ReadonlyMap<string, RegExp> = new Map([
  ['pack', PACK_FILE],
  ['pack/multi-pack-index.d', PACK_FILE],
  ['info', OBJECT_INFO],
  ['info/commit-graphs', GRAPH_FILE],
]);
const OBJECT_FOLDERS = new Set(['pack/multi-pack-index.d', 'info/commit-graphs']);
const TABLE_FILE = /^(?:tables\.list|0x[0-9a-f-]+x?[0-9a-f-]*\.ref)(?:\.lock|\.temp.*)?$/;
/** Of Git LFS; its own log files and the cache of locks lie deeper. */
const LFS_FOLDERS = new Set(['tmp', 'incomplete', 'cache', 'logs']);
/** Each of these turns a folder into a repository, or is obeyed in one. */
const MAKES_REPOSITORY = new Set(['head', 'config', 'config.worktree', 'commondir', 'gitdir', 'hooks']);
/** Every repository has these; among refs, a `HEAD` is normal. */
const IN_REPOSITORY = new Set(['objects', 'refs', 'commondir']);

/** True for a data folder of a repository, whose files all have known shapes. */
export function isDataFolder(name: string): boolean {
  return FOLDERS.has(name);
}

/**
 * True if git, or Git LFS, is known to write something of this name and kind.
 *
 * @param rest folded components below the repository, a data folder's name first
 */
export function isKnownData(rest: readonly string[], isFolder: boolean): boolean {
  const [folder, first, ...more] = rest;
  if (first === undefined) return isFolder;
  const last = more.length === 0;
  switch (folder) {
    case 'objects':
      return isObject(first, more, isFolder);
    case 'refs':
      return last ? isFolder !== isStash(first) && isPlain(rest) : isPlain(rest);
    case 'logs':
      return last ? isLog(first, isFolder) : first === 'refs' && isPlain([first, ...more]);
    case 'lost-found':
      return (
        /^(?:commit|other)$/.test(first) && (last ? isFolder : more.length === 1 && HEX.test(more[0] ?? ''))
      );
    case 'lfs':
      return isLfs(first, more, isFolder);
    case 'reftable':
      return last && !isFolder && TABLE_FILE.test(first);
    default:
      // Git obeys the content of `branches`.
      return false;
  }
}

function isObject(first: string, more: readonly string[], isFolder: boolean): boolean {
  const known = PAIR.test(first) || first === 'pack' || first === 'info';
  if (more.length === 0) return isFolder ? known : first === 'maintenance.lock';
  if (!known || more.length > 2) return false;
  if (more.length === 1 && isFolder) return OBJECT_FOLDERS.has(`${first}/${more[0]}`);
  return !isFolder && objectFile(first, more.slice(0, -1)).test(more.at(-1) ?? '');
}

/** Kind of a file in a folder of objects; in an unknown one, none. */
function objectFile(first: string, folders: readonly string[]): RegExp {
  const folder = [first, ...folders].join('/');
  if (PAIR.test(folder)) return OBJECT_FILE;
  return OBJECT_FILES.get(folder) ?? NOTHING;
}

function isStash(name: string): boolean {
  return name === 'stash' || name === 'stash.lock';
}

function isLog(name: string, isFolder: boolean): boolean {
  return isFolder ? name === 'refs' : name === 'head' || name === 'head.lock';
}

/** Names of branches may be anything except names that turn their folder into a repository. */
function isPlain([, ...names]: readonly string[]): boolean {
  return !names.some((name) => IN_REPOSITORY.has(name));
}

function isLfs(first: string, more: readonly string[], isFolder: boolean): boolean {
  if (more.some((name) => MAKES_REPOSITORY.has(name))) return false;
  if (first !== 'objects') return LFS_FOLDERS.has(first) && (more.length > 0 || isFolder);
  const [one, two, id, ...tooDeep] = more;
  if (one !== undefined && !PAIR.test(one)) return false;
  if (two !== undefined && !PAIR.test(two)) return false;
  return id === undefined ? isFolder : tooDeep.length === 0 && !isFolder && HEX.test(id);
}
