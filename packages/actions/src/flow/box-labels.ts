import type { Action } from '@bulkhead/protocol';
import { boxStoreOf, joinLabels, type Label, type LabelStore, needsLabel } from '@bulkhead/shield';

type BegunAction = Pick<Action, 'id' | 'sessionId' | 'metadata'>;

/** A command between its begin and the end of its last process. */
interface Running {
  readonly session: string;
  readonly folder: string;
  /** Absent for one whose own label needs none. */
  readonly raise?: { readonly before: Label | undefined; readonly raised: Label };
}

/** The known facts about commands and their private folders. */
export interface BoxUses {
  /** Resolves when the last process of a command has ended; undefined if none runs. */
  left(actionId: string): Promise<void> | undefined;
  /** Whether a command may have written to its private folders. */
  changedBy(actionId: string): Promise<boolean>;
}

/**
 * The labels of private homes and temporary files: one for all that the commands of a folder keep
 * there. It rises before a command begins, and stays unless the command certainly wrote nothing. It
 * never falls while anything of the folder runs, as what a command left. Only a person lowers it
 * otherwise, by removing the files.
 */
export class BoxLabels {
  readonly #stores: LabelStore;
  readonly #uses: BoxUses;
  /** Also what commands left running. */
  readonly #running = new Map<string, Running>();

  /** @param stores whose changes are on the disk when they return */
  constructor(stores: LabelStore, uses: BoxUses) {
    this.#stores = stores;
    this.#uses = uses;
  }

  /** A running command of a session may write more than was known when it began. */
  raise(session: string, label: Label): void {
    if (!needsLabel(label)) return;
    for (const command of this.#running.values()) {
      if (command.session === session) this.#rise(boxStoreOf(command.folder), label);
    }
  }

  /** @param label of everything that the command may write */
  begun({ id, sessionId: session, metadata }: BegunAction, label: Label): void {
    const folder = metadata.workingFolder;
    const raise = needsLabel(label) ? this.#rise(boxStoreOf(folder), label) : undefined;
    this.#running.set(id, { session, folder, ...(raise === undefined ? {} : { raise }) });
  }

  /** The command has ended, but not necessarily what it left. */
  async ended(actionId: string): Promise<void> {
    const left = this.#running.has(actionId) ? this.#uses.left(actionId) : undefined;
    if (left === undefined) return await this.#judge(actionId);
    // If that fails, the label stays.
    left.then(() => this.#judge(actionId)).catch(() => {});
  }

  async #judge(actionId: string): Promise<void> {
    const own = this.#running.get(actionId);
    if (own?.raise === undefined) {
      this.#running.delete(actionId);
      return;
    }
    const isChanged = await this.#uses.changedBy(actionId);
    this.#running.delete(actionId);
    const isShared = [...this.#running.values()].some(({ folder }) => folder === own.folder);
    const store = boxStoreOf(own.folder);
    const now = this.#stores.get(store);
    const { before, raised } = own.raise;
    if (isChanged || isShared || now === undefined || !isSame(now, raised)) return;
    this.#stores.set(store, before);
  }

  #rise(store: string, label: Label): { readonly before: Label | undefined; readonly raised: Label } {
    const before = this.#stores.get(store);
    const raised = joinLabels(before ?? label, label);
    if (before === undefined || !isSame(before, raised)) this.#stores.set(store, raised);
    return { before, raised };
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
