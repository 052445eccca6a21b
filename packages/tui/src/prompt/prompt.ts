import { inertText } from '@bulkhead/protocol';
import type { AutocompleteProvider, Component, SelectListTheme, TUI } from '@earendil-works/pi-tui';
import { Editor, matchesKey } from '../library/first-parts.ts';
import type { Look } from '../look/look.ts';
import type { Style } from '../look/style.ts';
import { PASTE_END, PASTE_START } from '../screen/paste-gate.ts';

/** The delivery of an entry: join the current run, or follow it. */
export type Entry = 'steer' | 'queue';

interface PromptOptions {
  readonly tui: TUI;
  readonly look: Look;
  readonly onEntry: (text: string, as: Entry) => void;
  /** Longest accepted paste, characters. */
  readonly most: number;
  readonly onTooLong: (characters: number) => void;
}

/**
 * A longer entry can't be recalled by the arrow keys, because the line would show all of it.
 * Characters.
 */
const RECALLED = 20_000;

const ESCAPE = '\x1b';

/** Hints in an empty line; the longest one that fits is shown. */
const HINTS = ['Type a task · / for commands · @ for files', 'Type a task · / · @', 'Type a task'];
/** The cursor stands before it. */
const CURSOR_COLUMNS = 2;

/** The line where a person types. Pasted text is made inert before it is shown. */
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

  /** Typed text not yet entered, with long pastes expanded. */
  get draft(): string {
    return this.#editor.getExpandedText();
  }

  set draft(text: string) {
    this.#editor.setText(inertText(text));
  }

  /** Restores a text that could not be sent, before any newer text. */
  restore(text: string): void {
    const since = this.draft;
    this.#editor.setText('');
    // As a paste: one mark represents a long one.
    this.#editor.handleInput(PASTE_START + text + PASTE_END);
    if (since !== '') this.#editor.handleInput(`${PASTE_START}\n${since}${PASTE_END}`);
  }

  /** True while completions are visible: then Escape closes them. */
  get isCompleting(): boolean {
    return this.#editor.isShowingAutocomplete();
  }

  /** Closes the list of completions; the typed text stays. */
  closeList(): void {
    this.#editor.handleInput(ESCAPE);
  }

  set look(look: Look) {
    this.#look = look;
    this.#editor.borderColor = look.style.dim;
  }

  /** Sets the source of completions. */
  complete(completion: AutocompleteProvider): void {
    this.#editor.setAutocompleteProvider(completion);
  }

  /** Makes earlier entries available to the arrow keys. */
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
    // Line ends first: a return is a line end, not a control character.
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

/** @returns undefined for typed text */
function pastedText(data: string): string | undefined {
  if (!data.startsWith(PASTE_START) || !data.endsWith(PASTE_END)) return undefined;
  return data.slice(PASTE_START.length, -PASTE_END.length);
}

/** @param style called for each line, because the person may choose another theme */
function selectTheme(style: () => Style): SelectListTheme {
  return {
    selectedPrefix: (text) => style().accent(text),
    selectedText: (text) => style().accent(text),
    description: (text) => style().dim(text),
    scrollInfo: (text) => style().dim(text),
    noMatch: (text) => style().dim(text),
  };
}

/**
 * The text a terminal pastes for a dropped file: a path, in quotes or with escaped spaces, or a
 * `file://` address.
 */
const IMAGE_PATH = /^(?:\/|~\/|\.{1,2}\/)[^\n]*\.(?:png|jpe?g|gif|webp)$/i;

/**
 * Converts a pasted image path to its form in a message; undefined for any other text.
 *
 * @param pasted inert
 */
export function imageName(pasted: string): string | undefined {
  const path = plainPath(pasted.trim());
  if (!IMAGE_PATH.test(path)) return undefined;
  return /\s/.test(path) ? `@"${path}" ` : `@${path} `;
}

function plainPath(text: string): string {
  const quoted = /^(['"])(.*)\1$/.exec(text)?.[2];
  if (quoted !== undefined) return quoted;
  if (!text.startsWith('file:///')) return text.replaceAll(/\\([ ()&'"[\]])/g, '$1');
  try {
    return decodeURIComponent(text.slice('file://'.length));
  } catch {
    return text;
  }
}
