import { type Descriptor, failed } from '@bulkhead/files';
import type { GrantAccess } from './grant.ts';

/** Folders from a root down to where a walk is; each that exists is held open, so `..` goes back the way it came. */
export const MAX_DEPTH = 200;

interface Step {
  readonly folder: Descriptor;
  readonly name: Buffer;
  readonly access: GrantAccess;
}

/** The way from a root to a folder. Closes what it opened, never the root's own descriptor. */
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

  /** Names of folders below `folder` that the way leads through and that don't exist. */
  get missing(): readonly Buffer[] {
    return this.#missing;
  }

  get names(): readonly Buffer[] {
    return [...this.#steps.map((step) => step.name), ...this.#missing];
  }

  /** Takes over `folder`. Not below a missing one. */
  enter(folder: Descriptor, name: Buffer, access: GrantAccess): void {
    this.#steps.push({ folder, name, access });
    this.#checkDepth();
  }

  /** Goes on through a folder that doesn't exist. */
  imagine(name: Buffer): void {
    this.#missing.push(name);
    this.#checkDepth();
  }

  /** @returns false if there is nothing above: the root's parent is not ours to see */
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
