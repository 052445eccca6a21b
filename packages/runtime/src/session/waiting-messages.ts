import type { AcceptedInput } from '@bulkhead/log/session/accepted-input';
import type { DurableEventBody } from '@bulkhead/protocol';

const TOLD_NONE = JSON.stringify({ steer: [], followUp: [] });

/** How many waiting messages are taken at once [L8]. */
export type DrainMode = 'one' | 'all';

/**
 * The accepted messages of a session that nothing has been done with yet, in the order they will be taken:
 * interrupts first, then as they came. A view of the log: what is added here was accepted there, and what is
 * taken must become an entry, or be settled, in the log's next commit.
 */
export class WaitingMessages {
  #waiting: readonly AcceptedInput[] = [];
  #told = TOLD_NONE;

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get count(): number {
    return this.#waiting.length;
  }

  /** The message that is next. */
  get first(): AcceptedInput | undefined {
    return this.#waiting[0];
  }

  /** The events about waiting messages that clients lack; empty if they are up to date. */
  news(): DurableEventBody[] {
    const ids = (steer: boolean) =>
      this.#waiting
        .filter((input) => (input.delivery === 'steer') === steer)
        .map(({ messageId }) => messageId);
    const view = { steer: ids(true), followUp: ids(false) };
    const told = JSON.stringify(view);
    if (told === this.#told) return [];
    this.#told = told;
    return [{ type: 'queue_update', ...view }];
  }

  add(input: AcceptedInput): void {
    const interrupts = this.#waiting.findIndex(({ delivery }) => delivery !== 'interrupt');
    const place = input.delivery === 'interrupt' && interrupts >= 0 ? interrupts : this.#waiting.length;
    this.#waiting = this.#waiting.toSpliced(place, 0, input);
  }

  /** The message that starts the next run and, in mode `all`, those after it that may share its run. */
  takeForRun(mode: DrainMode): readonly AcceptedInput[] {
    const [first] = this.#waiting;
    if (first === undefined) return [];
    const together = mode === 'one' ? [first] : this.#waiting.filter((input) => mayShareRun(first, input));
    return this.#take(together);
  }

  /** Steers that may join the run of `running`. */
  takeSteers(running: AcceptedInput, mode: DrainMode): readonly AcceptedInput[] {
    const steers = this.#waiting.filter((input) => input.delivery === 'steer' && mayShareRun(running, input));
    return this.#take(mode === 'one' ? steers.slice(0, 1) : steers);
  }

  /** Does `change` and what must be kept of it; if that can't be kept, everything is as it was. */
  together<T>(change: () => T, keep: (done: T) => void): T {
    const [waiting, told] = [this.#waiting, this.#told];
    try {
      const done = change();
      keep(done);
      return done;
    } catch (error) {
      this.#waiting = waiting;
      this.#told = told;
      throw error;
    }
  }

  /** @returns the message, no longer waiting; undefined if it isn't */
  remove(messageId: string): AcceptedInput | undefined {
    return this.#take(this.#waiting.filter((input) => input.messageId === messageId))[0];
  }

  /** The messages of a sender that wait. */
  of(sender: string): readonly AcceptedInput[] {
    return this.#waiting.filter(({ origin }) => origin?.sender.id === sender);
  }

  /**
   * Forgets everything, to be read back from the log.
   *
   * @param toldOfNone true if clients know of no waiting message; otherwise the next news reports
   * them
   */
  clear(toldOfNone: boolean): void {
    this.#waiting = [];
    this.#told = toldOfNone ? TOLD_NONE : '';
  }

  #take(inputs: readonly AcceptedInput[]): readonly AcceptedInput[] {
    this.#waiting = this.#waiting.filter((input) => !inputs.includes(input));
    return inputs;
  }
}

/** A message may join a run only if nothing is done under it that its sender did not allow. */
function mayShareRun(running: AcceptedInput, input: AcceptedInput): boolean {
  if (input === running) return true;
  const { approve, dryRun, model, baseUrl, clientTools = [] } = input.options;
  const own = running.options;
  const sameModel = (model === '' && baseUrl === '') || (model === own.model && baseUrl === own.baseUrl);
  // Text that a run reads may go to the program whose tools it has.
  const sameTools = JSON.stringify(clientTools) === JSON.stringify(own.clientTools ?? []);
  // Rules and memory go by the origin of the run: another's words must not act under it.
  const sameOrigin =
    input.origin?.channel === running.origin?.channel &&
    input.origin?.sender.id === running.origin?.sender.id;
  return sameOrigin && approve === own.approve && dryRun === own.dryRun && sameModel && sameTools;
}
