import type { Component } from '@earendil-works/pi-tui';
import type { Prompt } from '../prompt/prompt.ts';
import { actionOf, type KeyAction } from './keys.ts';

/** A part of the screen that receives typing or choices. */
export interface Panel extends Component {
  handleInput(data: string): void;
  focused?: boolean;
}

/** Lowest first: a question about an action has priority over everything. */
const ORDER = ['picker', 'question', 'approval'] as const;
type PanelKind = (typeof ORDER)[number];

/** The lower end of the screen: the prompt, or one panel with a question. A draft is kept. */
export class Bottom implements Component {
  readonly #prompt: Prompt;
  readonly #onKey: (action: KeyAction) => boolean;
  readonly #panels = new Map<PanelKind, Panel>();
  #focused = false;

  /** @param onKey handles a key of the screen; returns false if the key has no meaning now */
  constructor(prompt: Prompt, onKey: (action: KeyAction) => boolean) {
    this.#prompt = prompt;
    this.#onKey = onKey;
  }

  set focused(focused: boolean) {
    this.#focused = focused;
    this.#pass();
  }

  get focused(): boolean {
    return this.#focused;
  }

  /** The panel that receives keys; undefined while the person types. */
  get panel(): Panel | undefined {
    const kind = ORDER.findLast((one) => this.#panels.has(one));
    return kind === undefined ? undefined : this.#panels.get(kind);
  }

  show(kind: PanelKind, panel: Panel): void {
    this.#panels.set(kind, panel);
    this.#pass();
  }

  /** @param panel closes only this panel, if it is visible */
  hide(kind: PanelKind, panel?: Panel): void {
    if (panel === undefined || this.#panels.get(kind) === panel) this.#panels.delete(kind);
    this.#pass();
  }

  handleInput(data: string): void {
    const { panel } = this;
    if (panel !== undefined) {
      panel.handleInput(data);
      return;
    }
    const action = actionOf(data);
    if (this.#prompt.isCompleting && (action === 'interrupt' || action === 'cancel'))
      this.#prompt.closeList();
    else if (action === undefined || !this.#onKey(action)) this.#prompt.handleInput(data);
  }

  invalidate(): void {
    this.#prompt.invalidate();
    for (const panel of this.#panels.values()) panel.invalidate();
  }

  render(width: number): string[] {
    return (this.panel ?? this.#prompt).render(width);
  }

  #pass(): void {
    const { panel } = this;
    this.#prompt.focused = this.#focused && panel === undefined;
    for (const one of this.#panels.values()) one.focused = this.#focused && one === panel;
  }
}
