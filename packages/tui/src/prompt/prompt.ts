import { inertText } from '@bulkhead/protocol';
import {
  type AutocompleteProvider,
  type Component,
  Editor,
  matchesKey,
  type TUI,
} from '@earendil-works/pi-tui';
import type { Look } from '../look/look.ts';
import { selectTheme } from '../look/markdown-theme.ts';

/** How what was entered goes to the session: to join the run that goes on, or to come after it. */
export type Entry = 'steer' | 'queue';

interface PromptOptions {
  readonly tui: TUI;
  readonly look: Look;
  readonly completion: AutocompleteProvider;
  readonly onEntry: (text: string, as: Entry) => void;
}

/** Around what is pasted (bracketed paste, xterm). */
const PASTE_START = '\x1b[200~';
const PASTE_END = '\x1b[201~';

/** Where a person types. What is pasted is made inert before it is shown. */
export class Prompt implements Component {
  readonly #editor: Editor;
  readonly #onEntry: PromptOptions['onEntry'];

  constructor({ tui, look, completion, onEntry }: PromptOptions) {
    const theme = { borderColor: look.style.dim, selectList: selectTheme(look.style) };
    this.#editor = new Editor(tui, theme, { autocompleteMaxVisible: 6 });
    this.#editor.setAutocompleteProvider(completion);
    this.#onEntry = onEntry;
    this.#editor.onSubmit = (text) => this.#entered(text, 'steer');
  }

  set focused(focused: boolean) {
    this.#editor.focused = focused;
  }

  get focused(): boolean {
    return this.#editor.focused;
  }

  /** What was typed and not entered; a long paste stands in it whole. */
  get draft(): string {
    return this.#editor.getExpandedText();
  }

  set draft(text: string) {
    this.#editor.setText(inertText(text));
  }

  /** True while completions are offered: then Escape is for them. */
  get isCompleting(): boolean {
    return this.#editor.isShowingAutocomplete();
  }

  set borderColor(paint: (text: string) => string) {
    this.#editor.borderColor = paint;
  }

  /** Puts what was said before within reach of the arrow keys. */
  remember(text: string): void {
    this.#editor.addToHistory(inertText(text));
  }

  handleInput(data: string): void {
    const pasted = pastedText(data);
    if (pasted !== undefined) this.#editor.handleInput(PASTE_START + pasted + PASTE_END);
    else if (matchesKey(data, 'alt+enter')) this.#queue();
    else this.#editor.handleInput(data);
  }

  invalidate(): void {
    this.#editor.invalidate();
  }

  render(width: number): string[] {
    return this.#editor.render(width);
  }

  #queue(): void {
    const text = this.draft;
    if (text.trim() === '') return;
    this.#editor.setText('');
    this.#entered(text.trim(), 'queue');
  }

  #entered(text: string, as: Entry): void {
    if (text.trim() === '') return;
    this.remember(text);
    this.#onEntry(text, as);
  }
}

/** @returns undefined for what was typed */
function pastedText(data: string): string | undefined {
  if (!data.startsWith(PASTE_START) || !data.endsWith(PASTE_END)) return undefined;
  const text = data.slice(PASTE_START.length, -PASTE_END.length);
  // Line ends first: a return is one, and no control character.
  return inertText(text.replaceAll(/\r\n?/g, '\n'));
}
