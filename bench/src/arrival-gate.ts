interface Group {
  missing: number;
  readonly open: () => void;
  readonly opened: Promise<void>;
}

/** Holds back what arrives until its whole group has: then all of it goes on at once, and a new group begins. */
export class ArrivalGate {
  readonly #groups = new Map<string, Group>();

  /** @param size how many the group waits for */
  arrive(name: string, size: number): Promise<void> {
    const group = this.#groups.get(name) ?? this.#begin(name, size);
    group.missing -= 1;
    if (group.missing === 0) {
      this.#groups.delete(name);
      group.open();
    }
    return group.opened;
  }

  #begin(name: string, size: number): Group {
    const { promise, resolve } = Promise.withResolvers<void>();
    const group = { missing: size, open: resolve, opened: promise };
    this.#groups.set(name, group);
    return group;
  }
}
