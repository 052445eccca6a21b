import { Descriptor, openFolderBelow, removeEntry, removeIfThere } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';
import type { ChronicleStep } from '../chronicle-step.ts';
import { type Look, lookAtObject } from '../look-at-object.ts';
import { type ObjectState, sameContent, sameOwner, sameState } from '../object-state.ts';
import { namesOfText } from '../path-names.ts';
import type { BlobStore } from '../store/blob-store.ts';
import { hashOnly } from '../store/copy-content.ts';
import { flushFolders } from './flush-folders.ts';
import { makeObject } from './make-object.ts';
import { isSame, park, type SideNames, sideNames, tidy } from './parking.ts';
import { giveName, makeFolder, type Place, placeOf, removeFolder } from './place.ts';
import type { RestoreStep, RollbackConflict } from './plan-rollback.ts';
import { restoreOrder } from './restore-order.ts';
import { Surprise } from './surprise.ts';

interface RestorerParts {
  /** The folder, open: nothing outside it can be reached. */
  readonly root: Descriptor;
  readonly blobs: BlobStore;
  /** Id of the rollback, which identifies its temporary names. */
  readonly id: string;
  onStep(step: ChronicleStep): void;
}

/**
 * Restores objects by descriptor, and only replaces an object in the planned state [FT88]. It first
 * moves the old object aside, in the same folder, and checks it there, so that no edit can happen
 * between check and replacement. Every step can be repeated after a crash at any point [FT91].
 */
export class Restorer {
  readonly #parts: RestorerParts;
  readonly #conflicts = new Map<string, RollbackConflict>();

  constructor(parts: RestorerParts) {
    this.#parts = parts;
  }

  /**
   * @returns conflicts with objects in an unplanned state, which were not touched
   * @throws the system's error if a step fails: the rest waits until it is repeated
   */
  async restore(steps: readonly RestoreStep[]): Promise<readonly RollbackConflict[]> {
    const { removed, placed, folders } = restoreOrder(steps);
    const numbers = new Map(steps.map((step, index) => [step, index]));
    const sidesOf = (step: RestoreStep) => sideNames(this.#parts.id, numbers.get(step) ?? 0);
    for (const step of folders) await this.#attempt(step, async () => this.#openUp(step));
    for (const step of [...removed, ...placed])
      await this.#attempt(step, () => this.#tidy(step, sidesOf(step)));
    for (const step of removed) await this.#attempt(step, () => this.#remove(step, sidesOf(step)));
    for (const step of placed) await this.#attempt(step, () => this.#place(step, sidesOf(step)));
    for (const step of folders) await this.#attempt(step, async () => this.#finishFolder(step));
    await flushFolders(this.#parts.root, steps);
    return [...this.#conflicts.values()];
  }

  async #attempt({ path }: RestoreStep, act: () => Promise<void>): Promise<void> {
    if (this.#conflicts.has(path)) return;
    try {
      await act();
      this.#parts.onStep('restored');
    } catch (error) {
      if (!(error instanceof Surprise)) throw error;
      this.#conflicts.set(path, { path, reason: error.message });
    }
  }

  /** A folder without write permission would keep its entries. */
  #openUp({ path, from }: RestoreStep): void {
    if (from.kind !== 'folder' || (from.mode & 0o700) === 0o700) return;
    using node = openFolderBelow(this.#parts.root, namesOfText(path));
    node?.setMode(from.mode | 0o700);
  }

  async #tidy({ path, from }: RestoreStep, sides: SideNames): Promise<void> {
    using folder = openFolderBelow(this.#parts.root, namesOfText(path).slice(0, -1));
    if (folder === undefined || path === '.') return;
    using place = placeOf(this.#parts.root, path);
    await tidy(place, sides, from);
  }

  async #remove(step: RestoreStep, sides: SideNames): Promise<void> {
    const now = await this.#look(step.path);
    // Already removed, or restored before a crash.
    if (now.stat === undefined || sameContent(now.state, step.to)) return;
    refuseOther(step, now);
    using place = placeOf(this.#parts.root, step.path);
    if (now.state.kind === 'folder') {
      removeFolder(place);
      return;
    }
    park(place, sides, now.stat, () => this.#parts.onStep('parked'));
    removeEntry(place.folder, sides.parked);
  }

  async #place(step: RestoreStep, sides: SideNames): Promise<void> {
    const { path, to } = step;
    const now = await this.#look(path);
    // An existing folder gets its owner, mode and time after all its entries.
    if (sameState(now.state, to) || (to.kind === 'folder' && now.state.kind === 'folder')) return;
    if (now.stat !== undefined) refuseOther(step, now);
    using place = placeOf(this.#parts.root, path);
    if (to.kind === 'folder') {
      makeFolder(place);
      return;
    }
    if (changedInPlace(place, now, to)) return;
    try {
      await makeKept(place.folder, sides.fresh, to, this.#parts.blobs);
      this.#parts.onStep('placed');
      if (now.stat !== undefined) park(place, sides, now.stat, () => this.#parts.onStep('parked'));
      takeName(place, sides);
    } finally {
      removeIfThere(place.folder, sides.fresh);
    }
  }

  #finishFolder({ path, to }: RestoreStep): void {
    using node = openFolderBelow(this.#parts.root, namesOfText(path));
    if (node === undefined) throw new Surprise('is no folder any more');
    if (to.kind !== 'folder') return;
    const { uid, gid, mode } = node.stat();
    const owner = to.owner === `${uid}:${gid}` ? undefined : to.owner;
    if (owner !== undefined) node.setOwner(owner);
    if (owner !== undefined || (Number(mode) & 0o7777) !== to.mode) node.setMode(to.mode);
    node.setTimeNs(BigInt(to.time));
  }

  #look(path: string): Promise<Look> {
    return lookAtObject(this.#parts.root, namesOfText(path), hashOnly);
  }
}

/** The snapshot has the parked object. It stays only until the step is repeated, if it must be. */
function takeName(place: Place, { fresh, parked }: SideNames): void {
  try {
    giveName(place, fresh);
  } catch (error) {
    if (error instanceof Surprise) removeIfThere(place.folder, parked);
    throw error;
  }
  removeIfThere(place.folder, parked);
}

function refuseOther({ from }: RestoreStep, { state }: Look): void {
  // This rollback may have changed a folder's mode.
  const isIt = state.kind === 'folder' ? from.kind === 'folder' : sameContent(state, from);
  if (!isIt) throw new Surprise('was changed meanwhile');
}

/**
 * Sets owner, mode and time of a file that already has its content, and no other name that would change
 * with it.
 */
function changedInPlace({ folder, name }: Place, { state, stat }: Look, to: ObjectState): boolean {
  if (state.kind !== 'file' || to.kind !== 'file' || state.hash !== to.hash || stat?.nlink !== 1n)
    return false;
  using node = Descriptor.ofEntry(folder, name);
  if (!isSame(node.stat(), stat)) throw new Surprise('was changed meanwhile');
  if (!sameOwner(state, to) && to.owner !== undefined) {
    node.setOwner(to.owner);
    node.setMode(to.mode);
  } else if (state.mode !== to.mode) node.setMode(to.mode);
  node.setTimeNs(BigInt(to.time));
  return true;
}

/** One object's kept content may be damaged: the others can still be restored. */
async function makeKept(folder: Descriptor, fresh: Buffer, to: ObjectState, blobs: BlobStore): Promise<void> {
  try {
    await makeObject(folder, fresh, to, blobs);
  } catch (error) {
    if (BulkheadError.is(error) && error.code === 'store_corrupt') {
      throw new Surprise(`can not be put back: ${error.message}`);
    }
    throw error;
  }
}
