import { type FlowLabels, joinLabels, type Label, type LabelStore, needsLabel } from '@bulkhead/shield';
import type { DisplacedLabels } from './displaced-labels.ts';
import type { LiveCommands } from './live-commands.ts';

/** The changes of labels that are allowed now. */
type Mode =
  | { readonly kind: 'free' }
  /** Nothing changes; a read gets the label of that time. */
  | { readonly kind: 'past'; readonly met: Label | undefined }
  | { readonly kind: 'fixed' }
  /** Labels only rise: an unknown part of the work was done. */
  | { readonly kind: 'rising' };

/**
 * The labels of files and stores that flow sees. Normally these are the stored ones, plus possible
 * writes of running commands; during a replay, they are the labels of that time, and nothing
 * changes. Labels that an action replaces are noted.
 */
export class ReplayLabels implements FlowLabels {
  readonly files: LabelStore;
  readonly stores: LabelStore;
  readonly #live: Pick<LiveCommands, 'all'>;
  #mode: Mode = { kind: 'free' };
  #action = '';

  constructor(
    real: FlowLabels,
    { live, displaced }: { readonly live: Pick<LiveCommands, 'all'>; readonly displaced: DisplacedLabels },
  ) {
    this.#live = live;
    this.files = this.#switched(this.#noting(real.files, displaced), (path) => this.#ofRunning(path));
    this.stores = this.#switched(real.stores, () => []);
  }

  /** Replays an event. @param met the label of the read at that time */
  replay(met: Label | undefined, act: () => unknown): void {
    this.#within({ kind: 'past', met }, act);
  }

  /** Replays a call without effect: its reads count, and no label changes. */
  fixed<Value>(act: () => Value): Value {
    return this.#within({ kind: 'fixed' }, act);
  }

  /** Replays a failed call: it may have written, and it has certainly removed nothing. */
  rising<Value>(act: () => Value): Value {
    return this.#within({ kind: 'rising' }, act);
  }

  /** Attributes the changes within to an action that may be undone. */
  by<Value>(action: string, act: () => Value): Value {
    const before = this.#action;
    this.#action = action;
    try {
      return act();
    } finally {
      this.#action = before;
    }
  }

  #within<Value>(mode: Mode, act: () => Value): Value {
    const before = this.#mode;
    this.#mode = mode;
    try {
      return act();
    } finally {
      this.#mode = before;
    }
  }

  /** Labels of running commands that may have written there. */
  #ofRunning(path: string): readonly Label[] {
    const isIn = (inner: string, outer: string): boolean =>
      `${inner}/`.startsWith(`${outer.replace(/\/$/u, '')}/`);
    return this.#live
      .all()
      .filter(({ folder, label }) => needsLabel(label) && (isIn(path, folder) || isIn(folder, path)))
      .map(({ label }) => label);
  }

  #switched(real: LabelStore, running: (path: string) => readonly Label[]): LabelStore {
    const met = (path: string, read: () => Label | undefined): Label | undefined => {
      if (this.#mode.kind === 'past') return this.#mode.met;
      return [read(), ...running(path)].reduce(joined, undefined);
    };
    const change = (freely: () => void, rising: () => void): void => {
      if (this.#mode.kind === 'free') freely();
      else if (this.#mode.kind === 'rising') rising();
    };
    const raise = (key: string, label: Label | undefined): void => {
      if (label !== undefined) real.set(key, joinLabels(real.get(key) ?? label, label));
    };
    const raiseFrom = (from: string, to: string): void => {
      for (const [key, label] of real.entries(from)) raise(`${to}${key.slice(from.length)}`, label);
    };
    return {
      get: (key) => met(key, () => real.get(key)),
      below: (folder) => met(folder, () => real.below(folder)),
      beginning: (prefix) => met(prefix.slice(0, prefix.lastIndexOf('/') + 1), () => real.beginning(prefix)),
      entries: (folder) => real.entries(folder),
      set: (key, label) =>
        change(
          () => real.set(key, label),
          () => raise(key, label),
        ),
      copy: (from, to) =>
        change(
          () => real.copy(from, to),
          () => raiseFrom(from, to),
        ),
      move: (from, to) =>
        change(
          () => real.move(from, to),
          () => raiseFrom(from, to),
        ),
      remove: (key) =>
        change(
          () => real.remove(key),
          () => {},
        ),
    };
  }

  /** Notes a label before replacing it: a crash in between only leaves an unneeded note. */
  #noting(real: LabelStore, displaced: DisplacedLabels): LabelStore {
    const note = (keys: Iterable<string>): void => {
      if (this.#action === '') return;
      for (const key of keys) {
        const label = real.entries(key).find(([each]) => each === key)?.[1];
        displaced.note(this.#action, key, label);
      }
    };
    const keysIn = (folder: string): readonly string[] => real.entries(folder).map(([key]) => key);
    const copied = (from: string, to: string): readonly string[] => [
      ...keysIn(to),
      ...keysIn(from).map((key) => `${to}${key.slice(from.length)}`),
    ];
    return {
      get: (key) => real.get(key),
      below: (folder) => real.below(folder),
      beginning: (prefix) => real.beginning(prefix),
      entries: (folder) => real.entries(folder),
      set(key, label) {
        if (label === undefined && !keysIn(key).includes(key)) return;
        note([key]);
        real.set(key, label);
      },
      copy(from, to) {
        note(copied(from, to));
        real.copy(from, to);
      },
      move(from, to) {
        note([...copied(from, to), ...keysIn(from)]);
        real.move(from, to);
      },
      remove(key) {
        const gone = keysIn(key);
        if (gone.length === 0) return;
        note(gone);
        real.remove(key);
      },
    };
  }
}

function joined(all: Label | undefined, label: Label | undefined): Label | undefined {
  return all === undefined || label === undefined ? (all ?? label) : joinLabels(all, label);
}
