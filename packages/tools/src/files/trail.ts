import type { Descriptor } from './descriptor.ts';
import { failed } from './file-error.ts';
import type { GrantAccess } from './grant.ts';

/** Open folders from a root down to where a walk is; each is held open, so `..` goes back the way it came. */
const MAX_DEPTH = 200;

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

  constructor(root: Descriptor, access: GrantAccess) {
    this.#root = root;
    this.#rootAccess = access;
  }

  get folder(): Descriptor {
    return this.#steps.at(-1)?.folder ?? this.#root;
  }

  get access(): GrantAccess {
    return this.#steps.at(-1)?.access ?? this.#rootAccess;
  }

  get names(): readonly Buffer[] {
    return this.#steps.map((step) => step.name);
  }

  /** Takes over `folder`. */
  enter(folder: Descriptor, name: Buffer, access: GrantAccess): void {
    this.#steps.push({ folder, name, access });
    if (this.#steps.length > MAX_DEPTH) throw failed('the path', `deeper than ${MAX_DEPTH} folders`);
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

  [Symbol.dispose](): void {
    this.backToRoot();
  }
}
