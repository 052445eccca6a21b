import { describeError } from '@bulkhead/protocol';
import type { UiSeat } from './ui-options.ts';

interface CommandRunnerOptions {
  /** Fires when the person leaves. */
  readonly left: AbortSignal;
  /** The context of a command. @param signal fires when the person leaves, or interrupts it */
  readonly seat: (signal: AbortSignal) => UiSeat;
  readonly say: (text: string) => void;
  /** Called when a command starts or ends. */
  readonly changed: () => void;
}

/** Runs an entry after `/`; a failure is shown, and the screen stays. */
export class CommandRunner {
  readonly #options: CommandRunnerOptions;
  /** Signal of the running command. */
  #command: AbortController | undefined;
  #name = '';

  constructor(options: CommandRunnerOptions) {
    this.#options = options;
  }

  /** The running command as entered; undefined if there is none. */
  get running(): string | undefined {
    return this.#command === undefined ? undefined : this.#name;
  }

  /** @param name as entered */
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
      const cancelled = 'no longer waiting; the command may still finish';
      say(command.signal.aborted ? cancelled : describeError(cause));
    } finally {
      if (this.#command === command) this.#command = undefined;
      changed();
    }
  }

  /** Interrupts the running command. @returns false if there is none */
  cancel(): boolean {
    this.#command?.abort();
    return this.#command !== undefined;
  }
}
