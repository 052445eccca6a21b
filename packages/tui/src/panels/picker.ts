import { inertLine } from '@bulkhead/protocol';
import type { Component } from '@earendil-works/pi-tui';
import { matchesKey } from '../library/first-parts.ts';
import { fuzzyFilter, Input } from '../library/later-parts.ts';
import { cut } from '../look/fit.ts';
import type { Look } from '../look/look.ts';

export interface Choice {
  /** The value of the choice, returned unchanged. */
  readonly value: string;
  readonly label: string;
  readonly about?: string;
}

/** A key beside Enter and Escape: its label, and its effect on the selected choice. */
export interface PickerKey {
  readonly key: 'ctrl+f' | 'ctrl+u' | 'ctrl+n';
  readonly about: string;
  run(choice: Choice): void;
}

interface PickerOptions {
  readonly title: string;
  readonly choices: readonly Choice[];
  readonly look: Look;
  /** Rows available for the panel. */
  readonly rows: () => number;
  /** The choice selected first. */
  readonly start?: number;
  readonly keys?: readonly PickerKey[];
  /** True if the typed text is also a valid choice. */
  readonly free?: boolean;
  /** Finds more choices for the typed text; called on each change of the text. */
  readonly find?: (text: string) => void;
  readonly onPick: (choice: Choice) => void;
  readonly onLeave: () => void;
}

/** A list of choices, filtered by the typed text. */
export class Picker implements Component {
  readonly #options: PickerOptions;
  readonly #input = new Input();
  #found: readonly Choice[] = [];
  #shown: readonly Choice[];
  #at: number;

  constructor(options: PickerOptions) {
    this.#options = options;
    this.#shown = options.choices;
    this.#at = Math.max(0, options.start ?? 0);
  }

  set focused(focused: boolean) {
    this.#input.focused = focused;
  }

  get focused(): boolean {
    return this.#input.focused;
  }

  get text(): string {
    return this.#input.getValue();
  }

  /** Results of a search; ignored if the text has changed since. */
  found(text: string, choices: readonly Choice[]): void {
    if (text !== this.text) return;
    this.#found = choices;
    this.#narrow();
  }

  handleInput(data: string): void {
    if (this.#moved(data)) return;
    const { onLeave, onPick, keys = [] } = this.#options;
    const own = keys.find(({ key }) => matchesKey(data, key));
    const chosen = this.#chosen();
    if (matchesKey(data, 'escape') || matchesKey(data, 'ctrl+c')) {
      onLeave();
    } else if (matchesKey(data, 'enter')) {
      if (chosen !== undefined) onPick(chosen);
    } else if (own !== undefined) {
      if (chosen !== undefined) own.run(chosen);
    } else {
      this.#type(data);
    }
  }

  invalidate(): void {
    this.#input.invalidate();
  }

  render(width: number): string[] {
    const { style } = this.#options.look;
    const height = this.#height();
    const top = Math.max(0, Math.min(this.#at - Math.floor(height / 2), this.#shown.length - height));
    const rows = this.#shown.slice(top, top + height).map((choice, at) => this.#row(choice, top + at, width));
    return [
      style.accent('─'.repeat(width)),
      cut(style.bold(this.#options.title), width),
      ...this.#input.render(width),
      ...(rows.length === 0 ? [style.dim(cut('  no match', width))] : rows),
      style.dim(cut(this.#hint(), width)),
    ];
  }

  #row({ label, about }: Choice, at: number, width: number): string {
    const { style } = this.#options.look;
    const isAt = at === this.#at;
    const name = inertLine(label);
    const more = about === undefined || about === '' ? '' : style.dim(` · ${inertLine(about)}`);
    return cut(isAt ? style.accent(`› ${name}`) + more : `  ${name}${more}`, width);
  }

  #hint(): string {
    const { keys = [] } = this.#options;
    const own = keys.map(({ key, about }) => `${keyName(key)} ${about}`);
    const place = this.#shown.length === 0 ? '' : `${this.#at + 1}/${this.#shown.length} · `;
    return `${place}${['Enter selects', ...own, 'Esc closes'].join(' · ')}`;
  }

  #chosen(): Choice | undefined {
    const { free = false } = this.#options;
    const chosen = this.#shown[this.#at];
    if (chosen !== undefined || !free || this.text.trim() === '') return chosen;
    return { value: this.text.trim(), label: this.text.trim() };
  }

  #moved(data: string): boolean {
    const key = MOVES.find(([name]) => matchesKey(data, name));
    if (key === undefined) return false;
    const by = key[1] * (key[2] ? this.#height() : 1);
    this.#at = Math.max(0, Math.min(this.#shown.length - 1, this.#at + by));
    return true;
  }

  #type(data: string): void {
    const before = this.text;
    this.#input.handleInput(data);
    if (this.text === before) return;
    this.#found = [];
    this.#narrow();
    this.#options.find?.(this.text);
  }

  #narrow(): void {
    const text = this.text.trim();
    const { choices } = this.#options;
    const own =
      text === '' ? choices : fuzzyFilter([...choices], text, ({ label, about = '' }) => `${label} ${about}`);
    const known = new Set(own.map(({ value }) => value));
    this.#shown = [...own, ...this.#found.filter(({ value }) => !known.has(value))];
    this.#at = 0;
  }

  #height(): number {
    return Math.max(1, Math.min(12, this.#options.rows() - 7));
  }
}

/** Keys that move the selection, with direction and page size. */
const MOVES = [
  ['up', -1, false],
  ['down', 1, false],
  ['pageUp', -1, true],
  ['pageDown', 1, true],
] as const;

function keyName(key: string): string {
  return key.replace('ctrl+', 'Ctrl-').replace(/-(.)$/, (_, letter: string) => `-${letter.toUpperCase()}`);
}
