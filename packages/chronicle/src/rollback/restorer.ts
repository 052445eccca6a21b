import type { BigIntStats } from 'node:fs';
import {
  Descriptor,
  giveFreeName,
  lookAtEntry,
  makeFolderEntry,
  moveEntryOver,
  openFolderBelow,
  pathText,
  removeEntry,
  removeFolderEntry,
  systemCode,
} from '@bulkhead/files';
import type { ChronicleStep } from '../chronicle-step.ts';
import { type Look, lookAtObject } from '../look-at-object.ts';
import { type ObjectState, sameContent, sameState } from '../object-state.ts';
import { namesOfText } from '../path-names.ts';
import type { BlobStore } from '../store/blob-store.ts';
import { copyContent } from '../store/copy-content.ts';
import { flushFolders } from './flush-folders.ts';
import { makeObject } from './make-object.ts';
import type { RestoreStep, RollbackConflict } from './plan-rollback.ts';
import { restoreOrder } from './restore-order.ts';

interface RestorerParts {
  /** The folder, open: nothing outside of it can be reached. */
  readonly root: Descriptor;
  readonly blobs: BlobStore;
  /** Of the rollback: what it leaves halfway is known by it. */
  readonly id: string;
  onStep(step: ChronicleStep): void;
}

/** What stands in the way of one step; the others go on. */
class Surprise extends Error {}

/**
 * Puts objects back, by descriptor, and never over anything but what it was told is there [FT88]. What it displaces it first
 * moves aside, in the same folder, and looks at it there, so that no edit can slip in between the look and the act.
 * Every step can be done again after a crash, at whatever point of it that was [FT91].
 */
export class Restorer {
  readonly #parts: RestorerParts;
  readonly #conflicts = new Map<string, RollbackConflict>();

  constructor(parts: RestorerParts) {
    this.#parts = parts;
  }

  /**
   * @returns what met something else than was planned for, and was left as it is
   * @throws the system's error if a step can't be done: the rest waits until it is done again
   */
  async restore(steps: readonly RestoreStep[]): Promise<readonly RollbackConflict[]> {
    const { removed, placed, folders } = restoreOrder(steps);
    const numbers = new Map(steps.map((step, index) => [step, index]));
    const numberOf = (step: RestoreStep) => numbers.get(step) ?? 0;
    for (const step of folders) this.#attempt(step, () => this.#openUp(step));
    for (const step of [...removed, ...placed]) await this.#tidied(step, numberOf(step));
    for (const step of removed) await this.#attempted(step, () => this.#remove(step, numberOf(step)));
    for (const step of placed) await this.#attempted(step, () => this.#place(step, numberOf(step)));
    for (const step of folders) this.#attempt(step, () => this.#finishFolder(step));
    await flushFolders(this.#parts.root, steps);
    return [...this.#conflicts.values()];
  }

  async #attempted({ path }: RestoreStep, act: () => Promise<void>): Promise<void> {
    if (this.#conflicts.has(path)) return;
    try {
      await act();
      this.#parts.onStep('restored');
    } catch (error) {
      this.#note(path, error);
    }
  }

  #attempt({ path }: RestoreStep, act: () => void): void {
    if (this.#conflicts.has(path)) return;
    try {
      act();
    } catch (error) {
      this.#note(path, error);
    }
  }

  #note(path: string, error: unknown): void {
    if (!(error instanceof Surprise)) throw error;
    this.#conflicts.set(path, { path, reason: error.message });
  }

  /** A folder that this user may not change would keep what is in it. */
  #openUp({ path, from }: RestoreStep): void {
    if (from.kind !== 'folder' || (from.mode & 0o700) === 0o700) return;
    using node = openFolderBelow(this.#parts.root, namesOfText(path));
    node?.setMode(from.mode | 0o700);
  }

  #finishFolder({ path, to }: RestoreStep): void {
    using node = openFolderBelow(this.#parts.root, namesOfText(path));
    if (node === undefined) throw new Surprise('is no folder any more');
    if (to.kind !== 'folder') return;
    if ((Number(node.stat().mode) & 0o7777) !== to.mode) node.setMode(to.mode);
    node.setTimeNs(BigInt(to.time));
  }

  async #remove(step: RestoreStep, number: number): Promise<void> {
    const now = await this.#look(step.path);
    // Gone already, or put there by what was done before a crash.
    if (now.stat === undefined || sameContent(now.state, step.to)) return;
    this.#refuseOther(step, now);
    using place = this.#placeOf(step);
    if (now.state.kind === 'folder') return removeFolder(place);
    this.#park(place, number, now.stat);
    removeEntry(place.folder, this.#parked(number));
  }

  async #place(step: RestoreStep, number: number): Promise<void> {
    const { to } = step;
    const now = await this.#look(step.path);
    if (sameState(now.state, to)) return;
    if (now.stat !== undefined) this.#refuseOther(step, now);
    using place = this.#placeOf(step);
    if (to.kind === 'folder') return this.#makeFolder(place);
    if (now.stat !== undefined && this.#changeInPlace(place, now, to)) return;
    const fresh = this.#fresh(number);
    await makeObject(place.folder, fresh, to, this.#parts.blobs);
    this.#parts.onStep('placed');
    try {
      if (now.stat !== undefined) this.#park(place, number, now.stat);
      giveName(place, fresh);
    } finally {
      removeIfThere(place.folder, fresh);
    }
    removeIfThere(place.folder, this.#parked(number));
  }

  #makeFolder({ folder, name }: Place): void {
    try {
      makeFolderEntry(folder, name);
    } catch (error) {
      if (systemCode(error) === 'EEXIST') throw new Surprise('was made anew meanwhile');
      throw error;
    }
  }

  /** Mode and time of a file that has its content already, and no other name that would change with it. */
  #changeInPlace({ folder, name }: Place, now: Look, to: ObjectState): boolean {
    if (now.state.kind !== 'file' || to.kind !== 'file' || now.state.hash !== to.hash) return false;
    if (now.stat?.nlink !== 1n) return false;
    using node = Descriptor.ofEntry(folder, name);
    if (!isSame(node.stat(), now.stat)) throw new Surprise('was changed meanwhile');
    if (now.state.mode !== to.mode) node.setMode(to.mode);
    node.setTimeNs(BigInt(to.time));
    return true;
  }

  /** Moves what has the name aside, and back if it is not what was looked at. */
  #park({ folder, name }: Place, number: number, expected: BigIntStats): void {
    const parked = this.#parked(number);
    moveEntryOver(folder, name, parked);
    this.#parts.onStep('parked');
    const found = lookAtEntry(folder, parked);
    if (found !== undefined && isSame(found, expected)) return;
    putBack(folder, parked, name);
    throw new Surprise('was changed meanwhile');
  }

  /** What a crash left beside the name: a new object that has no name yet, or the old one that has lost its own. */
  async #tidied(step: RestoreStep, number: number): Promise<void> {
    const names = namesOfText(step.path);
    const name = names.at(-1);
    if (name === undefined) return;
    using folder = openFolderBelow(this.#parts.root, names.slice(0, -1));
    if (folder === undefined) return;
    removeIfThere(folder, this.#fresh(number));
    const parked = this.#parked(number);
    if (lookAtEntry(folder, parked) === undefined) return;
    if (lookAtEntry(folder, name) === undefined) return putBack(folder, parked, name);
    const { state } = await lookAtObject(folder, [parked], hashOnly);
    // Its content is in the snapshot of this rollback; anything else is somebody's edit and stays where it is seen.
    if (sameContent(state, step.from)) removeEntry(folder, parked);
    else
      this.#note(
        step.path,
        new Surprise(`was changed meanwhile; that is kept beside it as ${pathText(parked)}`),
      );
  }

  #refuseOther({ from }: RestoreStep, now: Look): void {
    if (!sameContent(now.state, from) && now.state.kind !== 'folder')
      throw new Surprise('was changed meanwhile');
    if (now.state.kind === 'folder' && from.kind !== 'folder') throw new Surprise('is a folder now');
  }

  #look(path: string): Promise<Look> {
    return lookAtObject(this.#parts.root, namesOfText(path), hashOnly);
  }

  #placeOf({ path }: RestoreStep): Place {
    const names = namesOfText(path);
    const name = names.at(-1);
    const folder = openFolderBelow(this.#parts.root, names.slice(0, -1));
    if (name === undefined || folder === undefined) {
      folder?.[Symbol.dispose]();
      throw new Surprise('its folder is gone, or is a link now');
    }
    return { folder, name, [Symbol.dispose]: () => folder[Symbol.dispose]() };
  }

  #parked(number: number): Buffer {
    return Buffer.from(`.bulkhead-${this.#parts.id}-${number}.old`);
  }

  #fresh(number: number): Buffer {
    return Buffer.from(`.bulkhead-${this.#parts.id}-${number}.new`);
  }
}

interface Place extends Disposable {
  readonly folder: Descriptor;
  readonly name: Buffer;
}

function hashOnly(file: Descriptor) {
  return copyContent(file.fd, undefined);
}

function removeFolder({ folder, name }: Place): void {
  try {
    removeFolderEntry(folder, name);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOTEMPTY' || code === 'EEXIST') throw new Surprise('holds something that came meanwhile');
    throw error;
  }
}

function giveName({ folder, name }: Place, fresh: Buffer): void {
  try {
    giveFreeName(folder, fresh, name);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw new Surprise('was made anew meanwhile');
    throw error;
  }
}

/** Moving changes the change time; all else must be as it was. */
function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return (
    a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.mode === b.mode
  );
}

/** If something else has the name by now, both stay: nothing is lost. */
function putBack(folder: Descriptor, parked: Buffer, name: Buffer): void {
  if (lookAtEntry(folder, parked)?.isDirectory() === true) {
    // A folder has no second name; one that is empty is the only thing this can replace.
    moveEntryOver(folder, parked, name);
    return;
  }
  try {
    giveFreeName(folder, parked, name);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    throw new Surprise(`was changed twice meanwhile; what it was is beside it as ${pathText(parked)}`);
  }
}

function removeIfThere(folder: Descriptor, name: Buffer): void {
  try {
    removeEntry(folder, name);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}
