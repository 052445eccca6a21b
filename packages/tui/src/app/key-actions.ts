import type { Clock } from '@bulkhead/protocol';
import type { KeyAction } from './keys.ts';
import type { Screen } from './screen.ts';

/** A second press within this time has a stronger effect, milliseconds. */
const TWICE_MS = 2_000;

interface KeyActionsOptions {
  readonly clock: Clock;
  readonly screen: () => Screen;
  readonly busy: () => boolean;
  /** True after the end of the run was requested, until it is known. */
  readonly isCancelling: () => boolean;
  readonly cancelRun: () => void;
  /** Interrupts a waiting command. @returns false if there is none */
  readonly cancelCommand: () => boolean;
  readonly takeBack: () => void;
  readonly command: (name: string) => void;
  readonly say: (text: string) => void;
  readonly suspend: () => void;
  readonly leave: () => void;
}

/** The actions of the screen's keys. */
export class KeyActions {
  readonly #options: KeyActionsOptions;
  readonly #pressed = new Map<KeyAction, number>();

  constructor(options: KeyActionsOptions) {
    this.#options = options;
  }

  /** @returns false if the key has no meaning now: then the prompt gets it */
  take(action: KeyAction): boolean {
    const { screen, leave, suspend, takeBack, command } = this.#options;
    const { prompt, look } = screen();
    if (action === 'leave' && prompt.draft !== '') return false;
    if (action === 'cancel') this.#cancel();
    else if (action === 'interrupt') this.#interrupt();
    else if (action === 'leave') leave();
    else if (action === 'suspend') suspend();
    else if (action === 'take-back') takeBack();
    else if (action === 'thinking') screen().change({ thinking: !look.thinking });
    else if (action === 'expand') screen().change({ expanded: !look.expanded });
    else command(action);
    return true;
  }

  /** Escape: ends the current work; at rest, the second one in a row opens the tree. */
  #cancel(): void {
    const { busy, cancelRun, cancelCommand, screen, command } = this.#options;
    if (busy()) cancelRun();
    else if (!cancelCommand() && screen().prompt.draft === '' && this.#isSecond('cancel')) command('tree');
  }

  /**
   * Ctrl-C: clears the line, or ends the current work; the second one in a row leaves, once the
   * run's outcome is known.
   */
  #interrupt(): void {
    const { screen, busy, isCancelling, cancelRun, cancelCommand, say, leave } = this.#options;
    if (screen().prompt.draft !== '') {
      screen().prompt.draft = '';
      screen().draw();
      return;
    }
    const isSecond = this.#isSecond('interrupt');
    // Whatever was pressed before, the key that ends the current work never leaves the screen.
    if (busy() && !isCancelling()) cancelRun();
    else if (isSecond || isCancelling()) leave();
    else if (!cancelCommand()) say('press Ctrl-C again to exit');
  }

  #isSecond(action: KeyAction): boolean {
    const now = this.#options.clock.monotonic();
    const before = this.#pressed.get(action) ?? Number.NEGATIVE_INFINITY;
    this.#pressed.set(action, now);
    return now - before < TWICE_MS;
  }
}
