import { inertText } from '@bulkhead/protocol';
import type { AutocompleteProvider, Component, TUI } from '@earendil-works/pi-tui';
import { Editor, matchesKey } from '../library/first-parts.ts';
import type { Look } from '../look/look.ts';
import { selectTheme } from '../look/select-theme.ts';
import { PASTE_END, PASTE_START } from '../screen/paste-gate.ts';
import { imageName } from './image-name.ts';

/** How what was entered goes to the session: to join the run that goes on, or to come after it. */
export type Entry = 'steer' | 'queue';

interface PromptOptions {
  readonly tui: TUI;
  readonly look: Look;
  readonly onEntry: (text: string, as: Entry) => void;
  /** Longest paste that is taken, characters. */
  readonly most: number;
  readonly onTooLong: (characters: number) => void;
}

/** What is longer is not called back by the arrow keys: it would stand in the line whole. Characters. */
const RECALLED = 20_000;

const ESCAPE = '\x1b';

/** What an empty line says of itself; the longest that fits. */
const HINTS = ['Type a task · / for commands · @ for files', 'Type a task · / · @', 'Type a task'];
/** The cursor stands before it. */
const CURSOR_COLUMNS = 2;

/** Where a person types. What is pasted is made inert before it is shown. */
export class Prompt implements Component {
  readonly #editor: Editor;
  readonly #options: PromptOptions;
  #look: Look;

  constructor(options: PromptOptions) {
    const { tui, look } = options;
    this.#options = options;
    this.#look = look;
    const theme = { borderColor: look.style.dim, selectList: selectTheme(() => this.#look.style) };
    this.#editor = new Editor(tui, theme, { autocompleteMaxVisible: 6 });
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

  /** Puts a text back that could not be sent, before what was typed since. */
  restore(text: string): void {
    const since = this.draft;
    this.#editor.setText('');
    // As a paste: a long one stands as one mark.
    this.#editor.handleInput(PASTE_START + text + PASTE_END);
    if (since !== '') this.#editor.handleInput(`${PASTE_START}\n${since}${PASTE_END}`);
  }

  /** True while completions are offered: then Escape is for them. */
  get isCompleting(): boolean {
    return this.#editor.isShowingAutocomplete();
  }

  /** Closes the list of completions; what was typed stays. */
  closeList(): void {
    this.#editor.handleInput(ESCAPE);
  }

  set look(look: Look) {
    this.#look = look;
    this.#editor.borderColor = look.style.dim;
  }

  /** What completes names from now on. */
  complete(completion: AutocompleteProvider): void {
    this.#editor.setAutocompleteProvider(completion);
  }

  /** Puts what was said before within reach of the arrow keys. */
  remember(text: string): void {
    if (text.length <= RECALLED) this.#editor.addToHistory(inertText(text));
  }

  handleInput(data: string): void {
    const pasted = pastedText(data);
    if (pasted !== undefined) this.#paste(pasted);
    else if (matchesKey(data, 'alt+enter')) this.#queue();
    else this.#editor.handleInput(data);
  }

  invalidate(): void {
    this.#editor.invalidate();
  }

  render(width: number): string[] {
    const lines = this.#editor.render(width);
    const [above = '', line = '', ...below] = lines;
    if (this.#editor.getText() !== '') return lines;
    const room = width - CURSOR_COLUMNS;
    const hint = HINTS.find(({ length }) => length <= room);
    return hint === undefined ? lines : [above, `${line.trimEnd()} ${this.#look.style.dim(hint)}`, ...below];
  }

  #paste(text: string): void {
    const { most, onTooLong } = this.#options;
    if (text.length > most) {
      onTooLong(text.length);
      return;
    }
    // Line ends first: a return is one, and no control character.
    const inert = inertText(text.replaceAll(/\r\n?/g, '\n'));
    this.#editor.handleInput(PASTE_START + (imageName(inert) ?? inert) + PASTE_END);
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
    this.#options.onEntry(text, as);
  }
}

/** @returns undefined for what was typed */
function pastedText(data: string): string | undefined {
  if (!data.startsWith(PASTE_START) || !data.endsWith(PASTE_END)) return undefined;
  return data.slice(PASTE_START.length, -PASTE_END.length);
}
