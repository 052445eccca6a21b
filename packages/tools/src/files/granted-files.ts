import type { BigIntStats } from 'node:fs';
import {
  below,
  blocked,
  Descriptor,
  failed,
  fileError,
  flushEntries,
  makeFolderEntry,
  objectId,
  pathFromArgument,
  pathFromBytes,
  RecentWalk,
  systemCode,
} from '@bulkhead/files';
import { BulkheadError, type Clock, systemClock } from '@bulkhead/protocol';
import { type FileUse, refuseUnasked } from './file-use.ts';
import type { AskProtected, Grant, GrantAccess } from './grant.ts';
import { linkedCredentials } from './linked-credentials.ts';
import { Location } from './location.ts';
import { MAX_DEPTH, Trail } from './trail.ts';
import { type TreeEntry, treeEntries } from './tree-entries.ts';
import { walk } from './walk.ts';

interface OpenRoot {
  readonly folder: Descriptor;
  readonly access: GrantAccess;
  readonly identity: BigIntStats;
  /** As the engine wrote it, and as the system resolved it. */
  readonly names: readonly (readonly Buffer[])[];
  /** Prefix of the shown paths below it: empty for the first root. */
  readonly prefix: string;
}

interface GrantParts {
  /** Absent: files with several names are not read, because no one can check them. */
  readonly askProtected?: AskProtected;
  readonly clock?: Clock;
}

/**
 * The files of one grant. The roots are opened once; a folder moved to such a name later is not
 * granted.
 */
export class GrantedFiles implements Disposable {
  readonly #roots: readonly OpenRoot[];
  readonly #first: OpenRoot;
  /**
   * Protected objects that mounts show, held open so that no other object can reuse their inodes.
   */
  readonly #shown = new Map<string, Descriptor>();
  readonly #askProtected: AskProtected | undefined;
  readonly #credentials: RecentWalk;

  private constructor(
    roots: readonly OpenRoot[],
    first: OpenRoot,
    { askProtected, clock = systemClock }: GrantParts,
  ) {
    this.#roots = roots;
    this.#first = first;
    this.#askProtected = askProtected;
    this.#credentials = new RecentWalk(async () => linkedCredentials(first.folder), clock);
  }

  /**
   * @throws BulkheadError `usage` for an empty grant, a relative root or a root that can't be
   * opened
   */
  static open(grant: Grant, parts: GrantParts = {}): GrantedFiles {
    using opened = new DisposableStack();
    const roots = grant.roots.map((root, index): OpenRoot => {
      const given = pathFromArgument(root.path);
      if (!given.absolute || given.names.some((name) => name.equals(Buffer.from('..')))) {
        throw new BulkheadError('usage', `a root must be an absolute path without "..": ${root.path}`);
      }
      const folder = opened.use(openRoot(root.path));
      const names = [pathFromBytes(Buffer.from(root.path)).names, pathFromBytes(folder.currentName()).names];
      return {
        folder,
        access: root.access,
        identity: folder.stat(),
        names,
        prefix: index === 0 ? '' : root.path,
      };
    });
    const first = roots[0];
    if (first === undefined) throw new BulkheadError('usage', 'a grant needs at least one root');
    opened.move();
    return new GrantedFiles(roots, first, parts);
  }

  /**
   * Resolves a path. The result may be a free name: then `node` is undefined.
   * @param path as an argument gives it: relative to the first root, or absolute and below a root
   * @param use its purpose; the result allows no other use
   * @throws BulkheadError `blocked` if it points outside or to a name protected from this use,
   * `tool_failed` if it doesn't exist, `invalid_arguments`
   */
  locate(path: string, use: FileUse): Location {
    return this.#locate(path, use, false);
  }

  /** As `locate`, also for a path whose folders don't exist: `missing` lists them. */
  locatePossible(path: string, use: FileUse): Location {
    return this.#locate(path, use, true);
  }

  /**
   * As `locate`, for a file whose content is to be read: refuses a protected file under another
   * name.
   */
  async locateReadable(path: string): Promise<Location> {
    using guard = new DisposableStack();
    const location = guard.use(this.locate(path, 'read'));
    await this.refuseProtected(location, path);
    guard.move();
    return location;
  }

  /**
   * @throws BulkheadError `blocked` for a file that is a protected one under another name (FT13)
   * [A2]
   */
  async refuseProtected(location: Location, path: string): Promise<void> {
    const [reason] = await this.protectedReasons([location]);
    if (reason !== undefined) throw blocked(path, reason);
  }

  /**
   * Compares located files, which stay open, with the currently protected files; clears the others.
   *
   * @returns for each why it is protected, or undefined
   */
  async protectedReasons(locations: readonly Location[]): Promise<readonly (string | undefined)[]> {
    const reasons = new Map<Location, string>();
    const doubted = locations.filter(({ isDoubted }) => isDoubted);
    const objects = doubted.flatMap(({ stat }) => stat ?? []);
    if (objects.length > 0) {
      const [own, others] = await Promise.all([
        this.#credentials.finds(objects),
        this.#askProtected?.(objects) ?? [],
      ]);
      for (const [place, location] of doubted.entries()) {
        if (own[place] !== false) reasons.set(location, LINKED_CREDENTIAL);
        else if (others[place] !== false) reasons.set(location, OTHER_NAME);
        else location.clear();
      }
    }
    return locations.map((location) => reasons.get(location));
  }

  /**
   * Closes these paths from now on: a mount shows something protected there. A path that doesn't
   * exist here is ignored.
   */
  keepClosed(paths: readonly string[]): void {
    for (const path of paths) {
      using opened = new DisposableStack();
      const shown = opened.use(openIfThere(path));
      if (shown === undefined) continue;
      const id = objectId(shown.stat());
      if (this.#shown.has(id)) continue;
      opened.move();
      this.#shown.set(id, shown);
    }
  }

  /**
   * As `locate` for writing a file, and creates missing folders. Each is created at the end of a
   * whole walk and walked through before the next is created, so the rules hold even if another
   * process swaps a folder meanwhile.
   */
  locateAndMakeFolders(path: string): Location {
    for (let made = 0; made <= MAX_DEPTH; made += 1) {
      const location = this.locateNewFile(path);
      const [missing] = location.missing;
      if (missing === undefined) return location;
      using place = location;
      makeFolder(place, missing, path);
    }
    throw failed(path, 'its folders vanish as they are made');
  }

  /** As `locatePossible` for writing a file: a path that can only mean a folder is refused. */
  locateNewFile(path: string): Location {
    if (pathFromArgument(path).folder) {
      throw new BulkheadError('invalid_arguments', `${path}: names a folder, not a file`);
    }
    return this.locatePossible(path, 'write');
  }

  /**
   * Lists entries below the working folder, to describe its shape. @param limit largest number of
   * entries
   */
  entries(limit: number): Generator<TreeEntry> {
    return treeEntries(this.#first.folder, limit);
  }

  #locate(path: string, use: FileUse, imagineFolders: boolean): Location {
    const parsed = pathFromArgument(path);
    const { root, names } = parsed.absolute
      ? this.#rootOf(path, parsed.names)
      : { root: this.#first, names: parsed.names };
    if (root.access === 'no') throw blocked(path, 'belongs to Bulkhead itself');
    using guard = new DisposableStack();
    const trail = guard.use(new Trail(root.folder, root.access));
    try {
      const target = walk(trail, names, parsed.folder, {
        rootNames: root.names,
        accessOf: (folder) =>
          this.#roots.find(({ identity }) => objectId(identity) === objectId(folder))?.access,
        isClosed: (object) => this.#shown.has(objectId(object)),
        use,
        imagineFolders,
        shown: path,
      });
      guard.use(target.node);
      if (use === 'write') {
        const spelled = parsed.spelled.slice(parsed.names.length - names.length);
        refuseUnasked(spelled, [...trail.names, target.name ?? []].flat(), path);
      }
      guard.move();
      return new Location(trail, target, root.prefix, use);
    } catch (error) {
      throw fileError(error, path);
    }
  }

  /** The root with the longest matching name, so a root inside another one is found first. */
  #rootOf(path: string, names: readonly Buffer[]): { root: OpenRoot; names: readonly Buffer[] } {
    const matches = this.#roots.flatMap((root) =>
      root.names.flatMap((prefix) => {
        const rest = below(names, prefix);
        return rest === undefined ? [] : [{ root, names: rest }];
      }),
    );
    const best = matches.sort((a, b) => a.names.length - b.names.length)[0];
    if (best === undefined) throw blocked(path, 'lies outside the working folder');
    return best;
  }

  [Symbol.dispose](): void {
    for (const root of this.#roots) root.folder[Symbol.dispose]();
    for (const shown of this.#shown.values()) shown[Symbol.dispose]();
  }
}

const LINKED_CREDENTIAL =
  'is a hard link to a file that may hold credentials: it is neither read nor written';
const OTHER_NAME = 'is protected under another name';

/** Of any kind; its content is not opened. */
function openIfThere(path: string): Descriptor | undefined {
  try {
    return Descriptor.ofTrustedFile(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function makeFolder(location: Location, name: Buffer, path: string): void {
  if (location.access !== 'rw') throw blocked(path, 'the folder is read-only');
  try {
    makeFolderEntry(location.folder, name);
    flushEntries(location.folder);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw fileError(error, path);
  }
}

function openRoot(path: string): Descriptor {
  try {
    return Descriptor.ofTrustedFolder(path);
  } catch (error) {
    throw new BulkheadError('usage', fileError(error, path).message, { cause: error });
  }
}
