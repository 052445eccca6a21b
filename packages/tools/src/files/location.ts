import type { BigIntStats } from 'node:fs';
import { type Descriptor, shownName } from '@bulkhead/files';
import type { FileUse } from './file-use.ts';
import type { GrantAccess } from './grant.ts';
import type { Trail } from './trail.ts';

/** What a walk ended at: an open object, or a free name in an open folder. */
export interface Target {
  /** The object itself; undefined if nothing has that name. */
  readonly node: Descriptor | undefined;
  readonly stat: BigIntStats | undefined;
  /** Its name in `folder`; undefined if the target is a folder the trail itself ends at. */
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
  /** What protected names were looked for: the place may be used for this and for nothing more. */
  readonly use: FileUse;
  #doubted: boolean;

  /**
   * Takes over `trail` and the target's descriptor.
   * @param prefix what stands before names below this root when they are shown: empty for the first root
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
   * True for a regular file that has other names, or had one a moment ago: it may be a protected file under another name, and
   * nothing of it is read until `clear` was called (FT13).
   */
  get isDoubted(): boolean {
    return this.#doubted;
  }

  /** For whoever has found out that it is no protected file. */
  clear(): void {
    this.#doubted = false;
  }

  /** The folder that holds the target, or the target itself if it is a folder; the last one there is if some are missing. */
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

  /** Text for people and models, links resolved: relative to the first root, absolute below others. */
  get shown(): string {
    const names = this.name === undefined ? this.#trail.names : [...this.#trail.names, this.name];
    const shown = names.map(shownName).join('/');
    if (this.#prefix !== '') return shown === '' ? this.#prefix : `${this.#prefix}/${shown}`;
    return shown === '' ? '.' : shown;
  }

  /** Same for the same place, however a path named it. */
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
