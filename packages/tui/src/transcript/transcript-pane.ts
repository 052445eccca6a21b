import { itemAt, type TranscriptItem, type TranscriptView } from '@bulkhead/protocol/transcript';
import type { Component } from '@earendil-works/pi-tui';
import { columns } from '../look/fit.ts';
import type { Look } from '../look/look.ts';
import { GrowingMarkdown } from './markdown-text.ts';
import { messageLines } from './message-lines.ts';
import { noteLines } from './note-lines.ts';
import { toolCard } from './tool-card.ts';

/** Items drawn when a session is opened, and for each request for more. */
const DRAWN = 200;

/** The kind of one of our own lines. */
export type NoteTone = 'dim' | 'accent' | 'warning' | 'danger';

/** Our own lines between the items: a command's output. */
interface OwnNote {
  readonly tone: NoteTone;
  /** Index of the item that follows it. */
  readonly before: number;
  readonly text: string;
}

interface Drawn {
  readonly item: TranscriptItem;
  readonly lines: readonly string[];
}

/**
 * The conversation, newest item at the bottom. Each item is drawn once per width and look, and
 * again only after a change.
 */
export class TranscriptPane implements Component {
  #view: TranscriptView;
  #look: Look;
  #width = 0;
  #first = 0;
  #notes: OwnNote[] = [];
  readonly #drawn = new Map<number, Drawn>();
  readonly #growing = new Map<number, GrowingMarkdown>();

  constructor(view: TranscriptView, look: Look) {
    this.#view = view;
    this.#look = look;
  }

  /** A newer state of the same session. */
  set view(view: TranscriptView) {
    this.#view = view;
  }

  set look(look: Look) {
    this.#look = look;
    this.invalidate();
  }

  /** Another session, drawn from its newest items. */
  open(view: TranscriptView): void {
    this.invalidate();
    this.#notes = [];
    this.#view = view;
    this.#first = Math.max(0, view.items.length - DRAWN);
  }

  /** @returns false if everything is drawn */
  more(): boolean {
    if (this.#first === 0) return false;
    this.#first = Math.max(0, this.#first - DRAWN);
    return true;
  }

  /** Our own lines after the existing items. @param text inert */
  say(text: string, tone: NoteTone): void {
    this.#notes.push({ before: this.#view.items.length, text, tone });
  }

  invalidate(): void {
    this.#drawn.clear();
    this.#growing.clear();
  }

  render(width: number): string[] {
    if (width !== this.#width) this.invalidate();
    this.#width = width;
    const lines: string[] = [];
    if (this.#first > 0) lines.push(this.#look.style.dim(`… ${this.#first} earlier: /more`), '');
    const notes = this.#notes.values();
    let note = notes.next();
    for (let index = this.#first; index <= this.#view.items.length; index += 1) {
      for (; note.done !== true && note.value.before <= index; note = notes.next()) {
        add(
          lines,
          columns(note.value.text.replaceAll('\t', '    '), width).map(this.#look.style[note.value.tone]),
        );
      }
      add(lines, this.#linesAt(index));
    }
    return lines;
  }

  #linesAt(index: number): readonly string[] {
    const item = itemAt(this.#view.items, index);
    if (item === undefined) return [];
    const known = this.#drawn.get(index);
    if (known?.item === item) return known.lines;
    const lines = this.#draw(item);
    this.#drawn.set(index, { item, lines });
    return lines;
  }

  #draw(item: TranscriptItem): readonly string[] {
    if (item.kind === 'tool') return toolCard(item, this.#look, this.#width);
    if (item.kind !== 'message') return noteLines(item, this.#look, this.#width);
    if (!item.streaming) {
      this.#growing.delete(item.index);
      return messageLines(item, this.#look, this.#width);
    }
    const growing = this.#growing.get(item.index) ?? new GrowingMarkdown();
    this.#growing.set(item.index, growing);
    return messageLines(item, this.#look, this.#width, growing);
  }
}

/** An item and the empty line after it; an item without lines gives nothing. */
function add(lines: string[], more: readonly string[]): void {
  if (more.length === 0) return;
  for (const line of more) lines.push(line);
  lines.push('');
}
