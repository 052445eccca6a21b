import type { FlowLabels, Label, LabelStore } from '@bulkhead/shield';

/**
 * The labels of files and stores as flow is given them: the real ones, or, while what happened before is told again, those
 * that were met then, which nothing changes.
 */
export class ReplayLabels implements FlowLabels {
  readonly files: LabelStore;
  readonly stores: LabelStore;
  #then: { readonly met: Label | undefined } | undefined;
  #isFixed = false;

  constructor(real: FlowLabels) {
    this.files = this.#switched(real.files);
    this.stores = this.#switched(real.stores);
  }

  /** Tells something of the past. @param met the label of what was read then */
  replay(met: Label | undefined, act: () => unknown): void {
    this.#then = { met };
    try {
      act();
    } finally {
      this.#then = undefined;
    }
  }

  /** Tells of a call that had no effect: what was read counts, and no label is changed. */
  fixed<Value>(act: () => Value): Value {
    this.#isFixed = true;
    try {
      return act();
    } finally {
      this.#isFixed = false;
    }
  }

  #switched(real: LabelStore): LabelStore {
    const unlessThen = (change: () => void): void => {
      if (this.#then === undefined && !this.#isFixed) change();
    };
    return {
      get: (key) => (this.#then === undefined ? real.get(key) : this.#then.met),
      below: (folder) => (this.#then === undefined ? real.below(folder) : this.#then.met),
      beginning: (prefix) => (this.#then === undefined ? real.beginning(prefix) : this.#then.met),
      entries: (folder) => real.entries(folder),
      set: (key, label) => unlessThen(() => real.set(key, label)),
      copy: (from, to) => unlessThen(() => real.copy(from, to)),
      move: (from, to) => unlessThen(() => real.move(from, to)),
      remove: (key) => unlessThen(() => real.remove(key)),
    };
  }
}
