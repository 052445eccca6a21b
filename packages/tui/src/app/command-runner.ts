import { describeError } from '@bulkhead/protocol';
import type { UiSeat } from './ui-options.ts';

interface CommandRunnerOptions {
  /** Fires when the person leaves. */
  readonly left: AbortSignal;
  /** What a command may use. @param signal fires when the person leaves, or interrupts it */
  readonly seat: (signal: AbortSignal) => UiSeat;
  readonly say: (text: string) => void;
  /** Something began, or is done. */
  readonly changed: () => void;
}

/** Runs what was entered after `/`; what fails is told, and the screen stays. */
export class CommandRunner {
  readonly #options: CommandRunnerOptions;
  /** Of the command that is not done. */
  #command: AbortController | undefined;
  #name = '';

  constructor(options: CommandRunnerOptions) {
    this.#options = options;
  }

  /** What is not done, as it was entered; undefined if nothing is. */
  get running(): string | undefined {
    return this.#command === undefined ? undefined : this.#name;
  }

  /** @param name as it was entered */
  async run(name: string, work: (seat: UiSeat) => Promise<void> | void): Promise<void> {
    const { left, seat, say, changed } = this.#options;
    const command = new AbortController();
    this.#command = command;
    this.#name = name;
    changed();
    try {
      await work(seat(AbortSignal.any([left, command.signal])));
    } catch (cause) {
      if (left.aborted) return;
      const cancelled = 'not waited for any longer; what was begun may still finish';
      say(command.signal.aborted ? cancelled : describeError(cause));
    } finally {
      if (this.#command === command) this.#command = undefined;
      changed();
    }
  }

  /** Ends the waiting for the command that is not done. @returns false if there is none */
  cancel(): boolean {
    this.#command?.abort();
    return this.#command !== undefined;
  }
}
