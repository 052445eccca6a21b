import { joinLabels, type Label } from './label.ts';

/**
 * Labels that persist after a session: files by absolute path, and other stores by name. Kept by
 * the engine, beside the data they label; a label follows copies and moves, also of whole folders
 * [F2].
 */
export interface LabelStore {
  /**
   * Returns the label of a file joined with those of all its parent folders; undefined if none has
   * one.
   */
  get(key: string): Label | undefined;
  /** Sets the label, or removes it where unlabelled data replaced the old data. */
  set(key: string, label: Label | undefined): void;
  copy(from: string, to: string): void;
  move(from: string, to: string): void;
  /** Removes the label of deleted data, with those of everything below. */
  remove(key: string): void;
  /** As `get`, joined with the labels below; undefined if there is none. */
  below(folder: string): Label | undefined;
  /**
   * As `below`, for all names with this prefix and their parent folders: everything that a pattern
   * may match.
   */
  beginning(prefix: string): Label | undefined;
  /** As plain data, by key. @param folder only it and everything below it; default: all */
  entries(folder?: string): readonly (readonly [string, Label])[];
}

/** Labels in memory: for tests, traces, and as a cache before a durable one. */
export function createLabelStore(entries: Iterable<readonly [string, Label]> = []): LabelStore {
  return new SortedLabels(entries);
}

/**
 * Sorted by key, so that a folder's content is one range: a look-up costs the depth and the
 * matches, not the number of labels.
 */
class SortedLabels implements LabelStore {
  readonly #labels: Map<string, Label>;
  readonly #keys: string[];

  constructor(entries: Iterable<readonly [string, Label]>) {
    this.#labels = new Map(entries);
    this.#keys = [...this.#labels.keys()].sort();
  }

  get(key: string): Label | undefined {
    return joinOf(foldersOf(key).map((each) => this.#labels.get(each)));
  }

  set(key: string, label: Label | undefined): void {
    const isThere = this.#labels.has(key);
    if (label !== undefined) {
      this.#labels.set(key, label);
      if (!isThere) this.#keys.splice(this.#firstFrom(key), 0, key);
    } else if (isThere) {
      this.#labels.delete(key);
      this.#keys.splice(this.#firstFrom(key), 1);
    }
  }

  copy(from: string, to: string): void {
    const copied = this.entries(from);
    this.remove(to);
    for (const [key, label] of copied) this.set(`${to}${key.slice(from.length)}`, label);
  }

  move(from: string, to: string): void {
    this.copy(from, to);
    this.remove(from);
  }

  remove(key: string): void {
    for (const each of this.#keysBelow(key)) this.set(each, undefined);
  }

  below(folder: string): Label | undefined {
    return joinOf([this.get(folder), ...this.#labelsOf(this.#keysBelow(folder))]);
  }

  beginning(prefix: string): Label | undefined {
    const above = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    return joinOf([this.get(above), ...this.#labelsOf(this.#beginningWith(prefix))]);
  }

  entries(folder = '.'): readonly (readonly [string, Label])[] {
    return this.#keysBelow(folder).flatMap((key) => {
      const label = this.#labels.get(key);
      return label === undefined ? [] : [[key, label] as const];
    });
  }

  #labelsOf(keys: readonly string[]): readonly (Label | undefined)[] {
    return keys.map((key) => this.#labels.get(key));
  }

  /** A folder and its content; `.` is everything. */
  #keysBelow(folder: string): readonly string[] {
    if (folder === '.') return [...this.#keys];
    const inside = this.#beginningWith(`${folder.replace(/\/$/u, '')}/`);
    return this.#labels.has(folder) && !folder.endsWith('/') ? [folder, ...inside] : inside;
  }

  #beginningWith(prefix: string): readonly string[] {
    const start = this.#firstFrom(prefix);
    let end = start;
    while (this.#keys[end]?.startsWith(prefix)) end += 1;
    return this.#keys.slice(start, end);
  }

  /** Index of the first key that is not less. */
  #firstFrom(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? '') < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The join of the given labels; undefined if there is none. */
export function joinOf(labels: readonly (Label | undefined)[]): Label | undefined {
  return labels.reduce<Label | undefined>(
    (all, label) => (all === undefined || label === undefined ? (all ?? label) : joinLabels(all, label)),
    undefined,
  );
}

/** A path and every parent folder, as keys of labels. */
function foldersOf(path: string): readonly string[] {
  const found = [path, '.', '/'];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    found.push(path.slice(0, end), `${path.slice(0, end)}/`);
  }
  return [...new Set(found)];
}
