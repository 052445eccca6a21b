/** An answer, as far as its use of space goes. */
export interface UsingAnswer {
  /** Entries that it counts as. */
  readonly entries: number;
  readonly hashes: ReadonlySet<string>;
}

/** The space that some answers use together: a content counts once. */
export class Use<Answer extends UsingAnswer> {
  entries = 0;
  bytes = 0;
  readonly #holders = new Map<string, number>();
  /** Those that may be dropped, the oldest last. */
  readonly #droppable: Answer[];
  readonly #bytesOf: (hash: string) => number;

  /** @param answers newest first */
  constructor(
    answers: readonly Answer[],
    mayGo: (answer: Answer) => boolean,
    bytesOf: (hash: string) => number,
  ) {
    this.#bytesOf = bytesOf;
    this.#droppable = answers.filter(mayGo);
    for (const answer of answers) {
      this.entries += answer.entries;
      for (const hash of answer.hashes) this.#hold(hash, 1);
    }
  }

  get canDrop(): boolean {
    return this.#droppable.length > 0;
  }

  dropOldest(): Answer | undefined {
    const answer = this.#droppable.pop();
    if (answer !== undefined) this.drop(answer);
    return answer;
  }

  /** Counts it no longer. */
  drop(answer: Answer): void {
    this.entries -= answer.entries;
    for (const hash of answer.hashes) this.#hold(hash, -1);
  }

  #hold(hash: string, change: 1 | -1): void {
    const before = this.#holders.get(hash) ?? 0;
    this.#holders.set(hash, before + change);
    if (before + change === 0) this.bytes -= this.#bytesOf(hash);
    else if (before === 0) this.bytes += this.#bytesOf(hash);
  }
}
