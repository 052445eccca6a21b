import type { BackgroundCommand } from './ended-command.ts';

/** Remembers background commands beyond the engine, until nothing of them is left to be settled. */
export interface CommandRecords {
  /** Commands of earlier engines that were not settled, oldest first, with the reason. */
  readonly lost: readonly BackgroundCommand[];
  /** @param held its changes are in the folder only once they are settled */
  begun(command: BackgroundCommand, held: boolean): void;
  over(id: string): void;
}

/** For an engine without a home: a crash forgets them. */
export const NO_RECORDS: CommandRecords = { lost: [], begun: () => {}, over: () => {} };

/** Commands that ended with an earlier engine, listed until someone stops them or deletes their session. */
export class LostCommands {
  readonly #records: CommandRecords;
  readonly #lost: Map<string, BackgroundCommand>;
  readonly #told = new Set<string>();

  constructor(records: CommandRecords) {
    this.#records = records;
    this.#lost = new Map(records.lost.map((command) => [command.id, command]));
  }

  list(): readonly BackgroundCommand[] {
    return [...this.#lost.values()];
  }

  /** Said to each session once. */
  untold(sessionId: string): readonly BackgroundCommand[] {
    const untold = this.list().filter((one) => one.sessionId === sessionId && !this.#told.has(one.id));
    for (const { id } of untold) this.#told.add(id);
    return untold;
  }

  get(id: string): BackgroundCommand | undefined {
    return this.#lost.get(id);
  }

  /** It is listed no more. */
  forget(id: string): void {
    if (this.#lost.delete(id)) this.#records.over(id);
  }
}
