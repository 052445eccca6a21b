import type { Entry, ObjectId, Operation } from './operation.ts';
import { isData, isFlush } from './operation.ts';

/**
 * Objects of an operation on names: the folders whose names it changes, and the objects it names or
 * unnames.
 */
interface Touched {
  readonly folders: readonly ObjectId[];
  readonly objects: readonly ObjectId[];
}

/**
 * The part of a record that a loss of power must leave: the data that was flushed to the disk by a
 * call that had returned.
 */
export class Durability {
  readonly #operations: readonly Operation[];
  readonly #touched: readonly Touched[];

  constructor(operations: readonly Operation[]) {
    this.#operations = operations;
    this.#touched = touchedBy(operations);
  }

  foldersOf(index: number): readonly ObjectId[] {
    return this.#touched[index]?.folders ?? [];
  }

  /** Writes and sizes among the first `cut` operations that were flushed, by index. */
  data(cut: number): ReadonlySet<number> {
    const before = this.#operations.slice(0, cut);
    const flushed = new Map<ObjectId, number>();
    for (const flush of before.filter(isFlush)) {
      const object = flush.kind === 'flush' ? flush.object : ALL;
      flushed.set(object, Math.max(flushed.get(object) ?? 0, flush.begun));
    }
    const isKept = (operation: Operation) =>
      isData(operation) &&
      operation.ended <= Math.max(flushed.get(operation.object) ?? 0, flushed.get(ALL) ?? 0);
    return new Set(before.flatMap((operation, index) => (isKept(operation) ? [index] : [])));
  }

  /**
   * Changes of names and attributes that a file system keeps which writes them in order (ext4, XFS): every flush, of whatever
   * file, brings all that came before it.
   */
  orderedNames(cut: number): ReadonlySet<number> {
    const flushed = this.#operations.slice(0, cut).filter(isFlush);
    const last = flushed.reduce((latest, { begun }) => Math.max(latest, begun), 0);
    return this.#namesBefore(cut, (_, operation) => operation.ended <= last);
  }

  /**
   * Changes of names and attributes that a file system keeps which writes down what was flushed and no more (btrfs): names of
   * the flushed object, names in the flushed folder, and whatever those need.
   */
  neededNames(cut: number): ReadonlySet<number> {
    const needed = new Set<number>();
    for (const flush of this.#operations.slice(0, cut).filter(isFlush)) {
      const all = flush.kind === 'flush-all';
      const direct = this.#namesBefore(cut, (index, operation) => {
        if (operation.ended > flush.begun) return false;
        if (all) return true;
        const { folders, objects } = this.#touched[index] ?? NOTHING;
        return folders.includes(flush.object) || objects.includes(flush.object);
      });
      for (const index of direct) this.#need(index, needed);
    }
    return needed;
  }

  /** Names in one folder are kept in order, and a name needs its folder. */
  #need(index: number, needed: Set<number>): void {
    const waiting = [index];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (needed.has(next)) continue;
      needed.add(next);
      const { folders } = this.#touched[next] ?? NOTHING;
      for (let before = 0; before < next; before += 1) {
        const other = this.#touched[before] ?? NOTHING;
        const isNeeded = folders.some(
          (folder) => other.folders.includes(folder) || other.objects.includes(folder),
        );
        if (isNeeded && !needed.has(before)) waiting.push(before);
      }
    }
  }

  #namesBefore(cut: number, fits: (index: number, operation: Operation) => boolean): ReadonlySet<number> {
    const kept = new Set<number>();
    for (const [index, operation] of this.#operations.slice(0, cut).entries())
      if (!isData(operation) && !isFlush(operation) && fits(index, operation)) kept.add(index);
    return kept;
  }
}

/** Key of what a flush of the whole disk covers; no object has it. */
const ALL: ObjectId = -1;
const NOTHING: Touched = { folders: [], objects: [] };

function touchedBy(operations: readonly Operation[]): readonly Touched[] {
  const names = new NameTable();
  return operations.map((operation): Touched => {
    switch (operation.kind) {
      case 'make':
      case 'link': {
        const { at, object } = operation;
        if (at !== undefined) names.put(at, object);
        return { folders: at === undefined ? [] : [at.folder], objects: [object] };
      }
      case 'rename': {
        const { from, to } = operation;
        return { folders: [from.folder, to.folder], objects: names.move(operation) };
      }
      case 'remove':
        return { folders: [operation.at.folder], objects: names.take(operation.at) };
      case 'attributes':
        return { folders: [], objects: [operation.object] };
      default:
        return NOTHING;
    }
  });
}

/** Which object has which name, operation by operation. */
class NameTable {
  readonly #folders = new Map<ObjectId, Map<string, ObjectId>>();

  put({ folder, name }: Entry, object: ObjectId): void {
    const names = this.#folders.get(folder) ?? new Map<string, ObjectId>();
    this.#folders.set(folder, names.set(name, object));
  }

  /** @returns what had the name; empty if nothing had */
  take({ folder, name }: Entry): readonly ObjectId[] {
    const names = this.#folders.get(folder);
    const taken = names?.get(name);
    names?.delete(name);
    return taken === undefined ? [] : [taken];
  }

  /** @returns the objects that have another name now, or none */
  move({ from, to, isExchange }: Extract<Operation, { kind: 'rename' }>): readonly ObjectId[] {
    const [moved, met] = [this.take(from), this.take(to)];
    for (const object of moved) this.put(to, object);
    if (isExchange) for (const object of met) this.put(from, object);
    return [...moved, ...met];
  }
}
