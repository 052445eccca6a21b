import { type BigIntStats, lstatSync, opendirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type LinkedObject, objectId, RecentWalk, systemCode } from '@bulkhead/files';
import { BulkheadError, type Clock, type HomeLayout, pathRefusal } from '@bulkhead/protocol';
import { shownPlaces } from './shown-places.ts';

/** For so long entries are looked at before others get their turn. */
const TURN_MS = 5;

/** A walk that meets more entries finds nothing out: what it was made for is refused. */
const MAX_ENTRIES = 250_000;

/** One worker causes at most so many walks in that time. Over it, files with several names are closed to it. */
const WALKS = { most: 60, ms: 60_000 };

interface ProtectedParts {
  readonly layout: Pick<HomeLayout, 'root' | 'outputs' | 'scratch' | 'chronicle'>;
  /** The person's own home folder, absolute; undefined if there is none. */
  readonly userHome: string | undefined;
  readonly clock: Clock;
  /** Absent: 250,000. */
  readonly maxEntries?: number;
}

/**
 * Bulkhead's own files, and the credentials at the top of the person's home: what nobody may open under any name. A hard link
 * or a bind mount in a working folder shows them under an innocent one (FT13) [A2]. Nothing of them is remembered: each
 * answer is of what is there when it is asked for.
 *
 * The chronicle holds a file for each content and each action. The engine alone makes these, under one name each, and nothing in a
 * box can link them, for no box shows the home. Only a person's program does: it copies a folder by links. So one file of each of
 * these folders stands for all, and each of them is looked at where any protected file has another name.
 */
export class ProtectedFiles {
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

  /** @returns what tells one worker, of files that it has open whether they are protected ones, in order */
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

  /**
   * Those that have names elsewhere, with the number of these: usually none.
   *
   * @throws BulkheadError `blocked` if there are too many files to look at
   */
  async linked(): Promise<ReadonlyMap<string, number>> {
    const links = new Map<string, number>();
    for await (const stat of this.#files()) {
      if (stat.nlink > 1n) links.set(objectId(stat), (links.get(objectId(stat)) ?? Number(stat.nlink)) - 1);
    }
    return new Map([...links].filter(([, elsewhere]) => elsewhere > 0));
  }

  /** As the system resolves them. */
  #places(): readonly string[] {
    return this.#tops().flatMap((path) => {
      try {
        return [realpathSync(path)];
      } catch {
        // Gone meanwhile.
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
   * Regular files. Not the outputs, which a session reads by another root of its grant, nor what commands at work have
   * written: that is the user's, and becomes part of the working folder.
   */
  async *#files(): AsyncGenerator<BigIntStats> {
    const { outputs, scratch, chronicle } = this.#parts.layout;
    const turns = new Turns(this.#parts);
    const bulk = { blobs: join(chronicle, 'blobs'), snapshots: join(chronicle, 'snapshots') };
    const bulkPaths = Object.values(bulk);
    let isLinked = false;
    for await (const stat of filesBelow(this.#tops(), turns, [outputs, scratch, ...bulkPaths])) {
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

/** Lets others have their turn during a walk, and ends one that meets too many entries. */
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

  /** To be awaited for each entry. @throws BulkheadError `blocked` */
  async next(): Promise<void> {
    this.#seen += 1;
    if (this.#seen > this.#most) {
      throw new BulkheadError(
        'blocked',
        `there are more than ${this.#most} files of Bulkhead's own and with credentials: nobody can say whether one has another name`,
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

/** Looks at one file of each of the chronicle's folders. */
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

/** What this user can't list, a worker of this user can't either. Names as bytes: some are no text. */
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
