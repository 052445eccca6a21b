import type { Action } from '@bulkhead/protocol';
import { boxStoreOf, joinLabels, type Label, type LabelStore, needsLabel } from '@bulkhead/shield';

interface Pending {
  readonly store: string;
  readonly before: Label | undefined;
  readonly raised: Label;
}

/**
 * The labels of private homes and temporary files: one for all that the commands of a folder keep
 * there. It rises before a command begins, and stays unless the command certainly wrote nothing.
 * Only a person lowers it, by removing the files.
 */
export class BoxLabels {
  readonly #stores: LabelStore;
  readonly #changedBy: (actionId: string) => Promise<boolean>;
  readonly #pending = new Map<string, Pending>();

  /**
   * @param stores whose changes are on the disk when they return
   * @param changedBy whether a command may have written to its private folders
   */
  constructor(stores: LabelStore, changedBy: (actionId: string) => Promise<boolean>) {
    this.#stores = stores;
    this.#changedBy = changedBy;
  }

  /** A command that runs there may write more than was known when it began. */
  raise(workingFolder: string, label: Label): void {
    if (!needsLabel(label)) return;
    const store = boxStoreOf(workingFolder);
    const before = this.#stores.get(store);
    const raised = joinLabels(before ?? label, label);
    if (before === undefined || !isSame(before, raised)) this.#stores.set(store, raised);
  }

  /** @param label of everything that the command may write */
  begun({ id, metadata }: Pick<Action, 'id' | 'metadata'>, label: Label): void {
    if (!needsLabel(label)) return;
    const store = boxStoreOf(metadata.workingFolder);
    const before = this.#stores.get(store);
    const raised = joinLabels(before ?? label, label);
    if (before !== undefined && isSame(before, raised)) return;
    this.#stores.set(store, raised);
    this.#pending.set(id, { store, before, raised });
  }

  async ended(actionId: string): Promise<void> {
    const own = this.#pending.get(actionId);
    if (own === undefined) return;
    const isChanged = await this.#changedBy(actionId);
    this.#pending.delete(actionId);
    // A command that began meanwhile relies on the label.
    const isShared = [...this.#pending.values()].some(({ store }) => store === own.store);
    const now = this.#stores.get(own.store);
    if (isChanged || isShared || now === undefined || !isSame(now, own.raised)) return;
    this.#stores.set(own.store, own.before);
  }

  /** The files are gone, and no command of the folder runs. */
  removed(workingFolder: string): void {
    this.#stores.set(boxStoreOf(workingFolder), undefined);
  }

  labelOf(workingFolder: string): Label | undefined {
    return this.#stores.get(boxStoreOf(workingFolder));
  }
}

function isSame(a: Label, b: Label): boolean {
  return a.secrecy === b.secrecy && a.trust === b.trust;
}
