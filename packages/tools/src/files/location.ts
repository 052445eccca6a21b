import type { BigIntStats } from 'node:fs';
import { type Descriptor, shownName } from '@bulkhead/files';
import type { FileUse } from './file-use.ts';
import type { GrantAccess } from './grant.ts';
import type { Trail } from './trail.ts';

/** The end of a walk: an open object, or a free name in an open folder. */
export interface Target {
  /** The object itself; undefined if nothing has that name. */
  readonly node: Descriptor | undefined;
  readonly stat: BigIntStats | undefined;
  /** Its name in `folder`; undefined if the target is a folder at the end of the trail. */
  readonly name: Buffer | undefined;
  /** True for a regular file that has, or just had, other names than this one. */
  readonly hasOtherNames: boolean;
}

/** A place below a root, held open until disposed. */
export class Location implements Disposable {
  readonly #trail: Trail;
  readonly #prefix: string;
  readonly node: Descriptor | undefined;
  readonly stat: BigIntStats | undefined;
  readonly name: Buffer | undefined;
  /** The use whose protected names were checked: the place allows no other. */
  readonly use: FileUse;
  #doubted: boolean;

  /**
   * Takes over `trail` and the target's descriptor.
   * @param prefix of the shown names below this root: empty for the first root
   */
  constructor(trail: Trail, target: Target, prefix: string, use: FileUse) {
    this.#doubted = target.hasOtherNames;
    this.#trail = trail;
    this.#prefix = prefix;
    this.node = target.node;
    this.stat = target.stat;
    this.name = target.name;
    this.use = use;
  }

  /**
   * True for a regular file that has other names, or recently had one: it may be a protected file
   * under another name, so it is not read until `clear` is called (FT13).
   */
  get isDoubted(): boolean {
    return this.#doubted;
  }

  /** Marks it as no protected file; only a caller that has checked may call this. */
  clear(): void {
    this.#doubted = false;
  }

  /**
   * The folder that holds the target, or the target itself if it is a folder; the last existing one
   * if some are missing.
   */
  get folder(): Descriptor {
    return this.#trail.folder;
  }

  /** Folders between `folder` and the target that don't exist: they must be made first. */
  get missing(): readonly Buffer[] {
    return this.#trail.missing;
  }

  get access(): GrantAccess {
    return this.#trail.access;
  }

  /**
   * Text for people and models, links resolved: relative to the first root, absolute below others.
   */
  get shown(): string {
    const names = this.name === undefined ? this.#trail.names : [...this.#trail.names, this.name];
    const shown = names.map(shownName).join('/');
    if (this.#prefix !== '') return shown === '' ? this.#prefix : `${this.#prefix}/${shown}`;
    return shown === '' ? '.' : shown;
  }

  /** Equal for the same place, however a path named it. */
  get key(): string {
    const folder = this.folder.stat();
    const below = [...this.missing, this.name ?? Buffer.alloc(0)].map((name) => name.toString('latin1'));
    return `${folder.dev}:${folder.ino}:${below.join('/')}`;
  }

  [Symbol.dispose](): void {
    this.node?.[Symbol.dispose]();
    this.#trail[Symbol.dispose]();
  }
}
