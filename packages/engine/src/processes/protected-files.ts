import { type BigIntStats, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type LinkedObject, objectId, RecentWalk, systemCode } from '@bulkhead/files';
import { type Clock, type HomeLayout, pathRefusal } from '@bulkhead/protocol';
import { shownPlaces } from './shown-places.ts';

/** Entries that are looked at before others get their turn. */
const ENTRIES_AT_ONCE = 500;

interface ProtectedParts {
  readonly layout: Pick<HomeLayout, 'root' | 'outputs' | 'scratch'>;
  /** The person's own home folder, absolute; undefined if there is none. */
  readonly userHome: string | undefined;
  readonly clock: Clock;
}

/**
 * Bulkhead's own files, and the credentials at the top of the person's home: what nobody may open under any name. A hard link
 * or a bind mount in a working folder shows them under an innocent one (FT13) [A2]. Nothing of them is remembered: each
 * answer is of what is there when it is asked for.
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

  /** Tells of open files whether they are protected ones, in order. */
  areProtected(objects: readonly LinkedObject[]): Promise<readonly boolean[]> {
    return this.#walk.finds(objects);
  }

  /**
   * @param folder absolute, resolved
   * @returns absolute paths in it where a mount shows protected places now
   * @throws BulkheadError `blocked` if the folder itself shows one
   */
  shownIn(folder: string): readonly string[] {
    return shownPlaces(folder, this.#places(), mountTable());
  }

  /** Those that have names elsewhere, with the number of these: usually none. */
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
    const { outputs, scratch } = this.#parts.layout;
    const pending = this.#tops().map((path) => Buffer.from(path));
    let seen = 0;
    for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
      if (path.equals(Buffer.from(outputs)) || path.equals(Buffer.from(scratch))) continue;
      seen += 1;
      if (seen % ENTRIES_AT_ONCE === 0) await setImmediate();
      const stat = lookAt(path);
      if (stat?.isFile() === true) yield stat;
      if (stat?.isDirectory() !== true) continue;
      const folder = Buffer.concat([path, Buffer.from('/')]);
      pending.push(...entriesIn(path).map((name) => Buffer.concat([folder, name])));
    }
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

/** @returns undefined on systems that have none */
function mountTable(): string | undefined {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
