import { type BigIntStats, lstatSync, opendirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type LinkedObject, objectId, RecentWalk, systemCode } from '@bulkhead/files';
import { BulkheadError, type Clock, type HomeLayout, pathRefusal } from '@bulkhead/protocol';
import { guardedFolders } from './guarded-places.ts';
import { mountPointsIn, shownPlaces } from './shown-places.ts';

/** Longest turn of a walk before other work gets its turn. */
const TURN_MS = 5;

/** A walk over more entries fails, and its request is refused. */
const MAX_ENTRIES = 250_000;

/**
 * Walks that one worker may cause in that time. Beyond it, files with several names are closed to
 * it.
 */
const WALKS = { most: 60, ms: 60_000 };

interface ProtectedParts {
  readonly layout: Pick<HomeLayout, 'root' | 'outputs' | 'scratch' | 'boxes' | 'chronicle'>;
  /** The person's own home folder, absolute; undefined if there is none. */
  readonly userHome: string | undefined;
  readonly clock: Clock;
  /** Absent: 250,000. */
  readonly maxEntries?: number;
}

/**
 * Bulkhead's own files, and the credentials at the top of the user's home, which must not be opened
 * under any name. A hard link or a bind mount in a working folder shows them under an innocent name
 * (FT13) [A2]. Nothing is cached: each answer describes the present state.
 *
 * The chronicle holds a file for each content and each action. Only the engine makes these, under
 * one name each, and no boxed process can link them, for no box shows the home. Only a user's
 * program can: it copies a folder by links. So one file of each of these folders represents all,
 * and each file is checked if any protected file has another name.
 */
export class ProtectedFiles {
  /** Listings of working folders, for the next command. */
  readonly guarded = guardedFolders();
  readonly #parts: ProtectedParts;
  readonly #walk: RecentWalk;

  constructor(parts: ProtectedParts) {
    this.#parts = parts;
    this.#walk = new RecentWalk(async () => {
      const found = new Set<string>();
      for await (const stat of this.#files()) found.add(objectId(stat));
      return found;
    }, parts.clock);
  }

  /**
   * @returns a function for one worker that says for each of its open files whether it is
   *   protected, in order
   */
  answerer(): (objects: readonly LinkedObject[]) => Promise<readonly boolean[]> {
    const { clock } = this.#parts;
    const walks: number[] = [];
    const mayWalk = () => {
      const now = clock.monotonic();
      while (walks[0] !== undefined && now - walks[0] >= WALKS.ms) walks.shift();
      return walks.length < WALKS.most && walks.push(now) > 0;
    };
    return (objects) => this.#walk.finds(objects, mayWalk);
  }

  /**
   * @param folder absolute, resolved
   * @returns absolute paths in it where a mount shows protected places now
   * @throws BulkheadError `blocked` if the folder itself shows one
   */
  shownIn(folder: string): readonly string[] {
    return shownPlaces(folder, this.#places(), mountTable());
  }

  /** @returns absolute paths in a folder where something is mounted now */
  mountedIn(folder: string): readonly string[] {
    return mountPointsIn(folder, mountTable());
  }

  /**
   * Those with names elsewhere, and the number of these: usually none.
   *
   * @throws BulkheadError `blocked` if there are too many files to check
   */
  async linked(): Promise<ReadonlyMap<string, number>> {
    const links = new Map<string, number>();
    for await (const stat of this.#files()) {
      if (stat.nlink > 1n) links.set(objectId(stat), (links.get(objectId(stat)) ?? Number(stat.nlink)) - 1);
    }
    return new Map([...links].filter(([, elsewhere]) => elsewhere > 0));
  }

  /** In the form that the system resolves. */
  #places(): readonly string[] {
    return this.#tops().flatMap((path) => {
      try {
        return [realpathSync(path)];
      } catch {
        // Removed meanwhile.
        return [];
      }
    });
  }

  #tops(): readonly string[] {
    const { layout, userHome } = this.#parts;
    const credentials = (userHome === undefined ? [] : entriesIn(userHome))
      .map((name) => name.toString('utf8'))
      .filter((name) => pathRefusal([name], 'read') !== undefined)
      .map((name) => join(userHome ?? '', name))
      .filter((path) => lookAt(path)?.isSymbolicLink() === false);
    return [layout.root, ...credentials];
  }

  /**
   * Regular files. Not the outputs, which a session reads through another root of its grant, nor
   * files written by running commands: those become part of the user's working folder. Nor the
   * private homes: commands own them.
   */
  async *#files(): AsyncGenerator<BigIntStats> {
    const { outputs, scratch, boxes, chronicle } = this.#parts.layout;
    const turns = new Turns(this.#parts);
    const bulk = { blobs: join(chronicle, 'blobs'), snapshots: join(chronicle, 'snapshots') };
    const bulkPaths = Object.values(bulk);
    let isLinked = false;
    for await (const stat of filesBelow(this.#tops(), turns, [outputs, scratch, boxes, ...bulkPaths])) {
      isLinked ||= stat.nlink > 1n;
      yield stat;
    }
    isLinked ||= await isAnyLinked(bulk, turns);
    if (isLinked) yield* filesBelow(bulkPaths, turns);
  }
}

/** Folders of the chronicle. */
interface Bulk {
  readonly blobs: string;
  readonly snapshots: string;
}

/** Yields to other work during a walk, and ends a walk over too many entries. */
class Turns {
  readonly #clock: Clock;
  readonly #most: number;
  #seen = 0;
  #since: number;

  constructor({ clock, maxEntries = MAX_ENTRIES }: Pick<ProtectedParts, 'clock' | 'maxEntries'>) {
    this.#clock = clock;
    this.#most = maxEntries;
    this.#since = clock.monotonic();
  }

  /** Await for each entry. @throws BulkheadError `blocked` */
  async next(): Promise<void> {
    this.#seen += 1;
    if (this.#seen > this.#most) {
      throw new BulkheadError(
        'blocked',
        `there are more than ${this.#most} files of Bulkhead's own and with credentials: other names of them can not be checked`,
        { fix: 'Remove what is large there, also copies of Bulkhead’s home that were made by hard links.' },
      );
    }
    if (this.#clock.monotonic() - this.#since < TURN_MS) return;
    await setImmediate();
    this.#since = this.#clock.monotonic();
  }
}

/** Regular files below paths. */
async function* filesBelow(
  paths: readonly string[],
  turns: Turns,
  except: readonly string[] = [],
): AsyncGenerator<BigIntStats> {
  const pending = paths.map((path) => Buffer.from(path));
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (except.some((one) => path?.equals(Buffer.from(one)))) continue;
    await turns.next();
    const stat = lookAt(path);
    if (stat?.isFile() === true) yield stat;
    if (stat?.isDirectory() === true) pending.push(...pathsIn(path));
  }
}

/** Checks one file of each of the chronicle's folders. */
async function isAnyLinked({ blobs, snapshots }: Bulk, turns: Turns): Promise<boolean> {
  for (const folder of [Buffer.from(snapshots), ...pathsIn(Buffer.from(blobs))]) {
    await turns.next();
    const one = lookAt(folder)?.isDirectory() === true ? firstIn(folder) : folder;
    const stat = one && lookAt(one);
    if (stat?.isFile() === true && stat.nlink > 1n) return true;
  }
  return false;
}

function firstIn(folder: Buffer): Buffer | undefined {
  try {
    using opened = opendirSync(folder.toString(), { bufferSize: 1 });
    const name = opened.readSync()?.name;
    return name === undefined ? undefined : Buffer.concat([folder, Buffer.from(`/${name}`)]);
  } catch {
    return undefined;
  }
}

function lookAt(path: string | Buffer): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/**
 * A folder that this user can't list, a worker of this user can't list either. Names as bytes: some
 * are not UTF-8.
 */
function entriesIn(folder: string | Buffer): readonly Buffer[] {
  try {
    return readdirSync(folder, { encoding: 'buffer' });
  } catch {
    return [];
  }
}

function pathsIn(folder: Buffer): readonly Buffer<ArrayBuffer>[] {
  const start = Buffer.concat([folder, Buffer.from('/')]);
  return entriesIn(folder).map((name) => Buffer.concat([start, name]));
}

/** @returns undefined on systems that have none */
function mountTable(): string | undefined {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
