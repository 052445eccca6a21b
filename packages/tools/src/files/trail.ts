import { type Descriptor, failed } from '@bulkhead/files';
import type { GrantAccess } from './grant.ts';

/**
 * Folders from a root down to the walk's position; each existing one is held open, so `..` returns
 * the way it came.
 */
export const MAX_DEPTH = 200;

interface Step {
  readonly folder: Descriptor;
  readonly name: Buffer;
  readonly access: GrantAccess;
}

/** The path from a root to a folder. Closes the descriptors it opened, never the root's. */
export class Trail implements Disposable {
  readonly #root: Descriptor;
  readonly #rootAccess: GrantAccess;
  readonly #steps: Step[] = [];
  readonly #missing: Buffer[] = [];

  constructor(root: Descriptor, access: GrantAccess) {
    this.#root = root;
    this.#rootAccess = access;
  }

  /** The last folder that exists. */
  get folder(): Descriptor {
    return this.#steps.at(-1)?.folder ?? this.#root;
  }

  get access(): GrantAccess {
    return this.#steps.at(-1)?.access ?? this.#rootAccess;
  }

  /** Names of folders below `folder` on the path that don't exist. */
  get missing(): readonly Buffer[] {
    return this.#missing;
  }

  get names(): readonly Buffer[] {
    return [...this.#steps.map((step) => step.name), ...this.#missing];
  }

  /** Takes ownership of `folder`. Not allowed below a missing one. */
  enter(folder: Descriptor, name: Buffer, access: GrantAccess): void {
    this.#steps.push({ folder, name, access });
    this.#checkDepth();
  }

  /** Continues through a folder that doesn't exist. */
  imagine(name: Buffer): void {
    this.#missing.push(name);
    this.#checkDepth();
  }

  /** @returns false at the root: its parent is out of bounds */
  leave(): boolean {
    const step = this.#steps.pop();
    if (step === undefined) return false;
    step.folder[Symbol.dispose]();
    return true;
  }

  backToRoot(): void {
    while (this.leave());
  }

  #checkDepth(): void {
    if (this.#steps.length + this.#missing.length <= MAX_DEPTH) return;
    throw failed('the path', `deeper than ${MAX_DEPTH} folders`);
  }

  [Symbol.dispose](): void {
    this.backToRoot();
  }
}
