import { inertLine } from '@bulkhead/protocol';
import type { Component } from '@earendil-works/pi-tui';
import { matchesKey } from '../library/first-parts.ts';
import { Input } from '../library/later-parts.ts';
import { cut, hang } from '../look/fit.ts';
import type { Look } from '../look/look.ts';

interface QuestionPanelOptions {
  readonly question: string;
  readonly look: Look;
  /** @param answer undefined if the person withdrew the question */
  readonly onAnswer: (answer: string | undefined) => void;
}

/** A question of a command, answered with a line. */
export class QuestionPanel implements Component {
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
