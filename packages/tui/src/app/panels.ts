import { describeError, inertLine } from '@bulkhead/protocol';
import type { Component } from '@earendil-works/pi-tui';
import { matchesKey } from '../library/first-parts.ts';
import { Input } from '../library/later-parts.ts';
import { cut, hang } from '../look/fit.ts';
import type { Look } from '../look/look.ts';
import { type Choice, Picker, type PickerKey } from '../panels/picker.ts';
import type { Screen } from './screen.ts';

/** A list of choices. A failure of its action is shown. */
export interface Pick {
  readonly title: string;
  readonly choices: readonly Choice[];
  /** The choice highlighted first. */
  readonly start?: number;
  /** True if the typed text is also a valid choice. */
  readonly free?: boolean;
  readonly keys?: readonly (Omit<PickerKey, 'run'> & { run(choice: Choice): Promise<void> | void })[];
  /** Finds more choices for the typed text. */
  readonly find?: (text: string, found: (choices: readonly Choice[]) => void) => void;
  readonly onPick: (choice: Choice) => Promise<void> | void;
}

/** Lists and questions of commands, which replace the prompt. */
export class Panels {
  readonly #screen: Screen;
  readonly #say: (text: string) => void;

  constructor(screen: Screen, say: (text: string) => void) {
    this.#screen = screen;
    this.#say = say;
  }

  pick(pick: Pick): void {
    const { keys = [], find } = pick;
    const { bottom } = this.#screen;
    const close = () => {
      bottom.hide('picker', picker);
      this.#screen.draw();
    };
    const closing = (run: Pick['onPick']) => (choice: Choice) => {
      close();
      void this.#attempt(() => run(choice));
    };
    const picker = new Picker({
      ...pick,
      look: this.#screen.look,
      rows: () => this.#screen.rows,
      keys: keys.map((one) => ({ key: one.key, about: one.about, run: closing(one.run) })),
      find: (text) =>
        find?.(text, (choices) => {
          picker.found(text, choices);
          this.#screen.draw();
        }),
      onPick: closing(pick.onPick),
      onLeave: close,
    });
    bottom.show('picker', picker);
    this.#screen.draw();
  }

  /** @returns undefined if the question was withdrawn, or the signal fired */
  ask(question: string, signal: AbortSignal): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const panel = new QuestionPanel({ question, look: this.#screen.look, onAnswer: resolve });
    const withdraw = () => resolve(undefined);
    signal.addEventListener('abort', withdraw, { once: true });
    this.#screen.bottom.show('question', panel);
    this.#screen.draw();
    return promise.finally(() => {
      signal.removeEventListener('abort', withdraw);
      this.#screen.bottom.hide('question', panel);
      this.#screen.draw();
    });
  }

  async #attempt(work: () => Promise<void> | void): Promise<void> {
    try {
      await work();
    } catch (cause) {
      this.#say(describeError(cause));
    }
  }
}

interface QuestionPanelOptions {
  readonly question: string;
  readonly look: Look;
  /** @param answer undefined if the person withdrew the question */
  readonly onAnswer: (answer: string | undefined) => void;
}

/** A question of a command, answered with a line. */
class QuestionPanel implements Component {
  readonly #options: QuestionPanelOptions;
  readonly #input = new Input();

  constructor(options: QuestionPanelOptions) {
    this.#options = options;
  }

  set focused(focused: boolean) {
    this.#input.focused = focused;
  }

  get focused(): boolean {
    return this.#input.focused;
  }

  handleInput(data: string): void {
    const { onAnswer } = this.#options;
    if (matchesKey(data, 'escape') || matchesKey(data, 'ctrl+c')) onAnswer(undefined);
    else if (matchesKey(data, 'enter')) onAnswer(this.#input.getValue());
    else this.#input.handleInput(data);
  }

  invalidate(): void {
    this.#input.invalidate();
  }

  render(width: number): string[] {
    const { question, look } = this.#options;
    const { style } = look;
    return [
      style.warning('─'.repeat(width)),
      ...hang('', inertLine(question.trim()), width).map(style.bold),
      ...this.#input.render(width),
      style.dim(cut('Enter answers · Esc cancels', width)),
    ];
  }
}
