import type { BigIntStats } from 'node:fs';
import { Descriptor, lookAtEntry, readLinkEntry } from '@bulkhead/files';
import { type Level, namesOf } from '../paths/levels.ts';

/** Where a path leads. */
export interface FollowedPath {
  /** Absolute, without links. */
  readonly path: string;
  /** Absolute paths of the links on the way, each itself below no link. */
  readonly links: readonly string[];
  readonly facts: BigIntStats;
}

/** As many as the system follows. */
const MAX_LINKS = 40;

/**
 * Follows a path as the system does, from open folder to open folder.
 *
 * @param path absolute
 * @returns undefined if it leads nowhere, to a name that is not UTF-8, or can't be followed
 */
export function followPath(path: string): FollowedPath | undefined {
  using stack = new DisposableStack();
  try {
    return follow(path, stack);
  } catch {
    return undefined;
  }
}

function follow(path: string, stack: DisposableStack): FollowedPath | undefined {
  const walk = new Walk(path, stack);
  while (walk.isUnderWay) {
    const found = walk.step();
    if (found !== 'on') return found;
  }
  return walk.folder();
}

class Walk {
  readonly #stack: DisposableStack;
  readonly #top: Level;
  /** The folders on the way to the present one. */
  #levels: Level[];
  readonly #links: string[] = [];
  readonly #rest: string[];

  constructor(path: string, stack: DisposableStack) {
    this.#stack = stack;
    this.#top = { path: '', folder: stack.use(Descriptor.ofTrustedFolder('/')) };
    this.#levels = [this.#top];
    this.#rest = namesOf(path);
  }

  get isUnderWay(): boolean {
    return this.#rest.length > 0;
  }

  /** @returns the file that ends the way, or nothing if it can't go on */
  step(): FollowedPath | undefined | 'on' {
    const name = this.#rest.shift() ?? '.';
    if (name === '..') {
      this.#levels = this.#levels.length > 1 ? this.#levels.slice(0, -1) : this.#levels;
      return 'on';
    }
    const at = this.#at;
    const bytes = Buffer.from(name);
    const found = lookAtEntry(at.folder, bytes);
    if (found === undefined) return undefined;
    return found.isSymbolicLink() ? this.#followLink(at, bytes) : this.#enter(at, bytes);
  }

  folder(): FollowedPath {
    const { path, folder } = this.#at;
    return { path: path === '' ? '/' : path, links: this.#links, facts: folder.stat() };
  }

  get #at(): Level {
    return this.#levels.at(-1) ?? this.#top;
  }

  #followLink(at: Level, name: Buffer): 'on' | undefined {
    if (this.#links.push(`${at.path}/${name.toString()}`) > MAX_LINKS) return undefined;
    const target = readLinkEntry(at.folder, name);
    const text = target.toString('utf8');
    if (!Buffer.from(text).equals(target)) return undefined;
    if (text.startsWith('/')) this.#levels = [this.#top];
    this.#rest.unshift(...namesOf(text));
    return 'on';
  }

  #enter(at: Level, name: Buffer): FollowedPath | undefined | 'on' {
    const path = `${at.path}/${name.toString()}`;
    const folder = this.#stack.use(Descriptor.ofEntry(at.folder, name));
    const facts = folder.stat();
    if (!facts.isDirectory()) return this.isUnderWay ? undefined : { path, links: this.#links, facts };
    this.#levels = [...this.#levels, { path, folder }];
    return 'on';
  }
}
