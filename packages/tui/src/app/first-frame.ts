import { inertText } from '@bulkhead/protocol';
import { cut } from '../look/fit.ts';
import type { Look } from '../look/look.ts';
import type { Entry, Prompt } from '../prompt/prompt.ts';
import { frameAt } from '../status/frames.ts';
import type { KeyAction } from './keys.ts';
import type { ScreenDriver } from './screen.ts';

/** Entries made before a session existed. */
interface EarlyEntry {
  readonly text: string;
  readonly as: Entry;
}

interface FirstFrameOptions {
  readonly now: () => number;
  readonly prompt: () => Prompt;
  readonly draw: () => void;
  readonly leave: () => void;
}

/** The screen until a session exists: it keeps typed text and entries, and the person can leave. */
export class FirstFrame implements ScreenDriver {
  readonly #options: FirstFrameOptions;
  #entries: EarlyEntry[] = [];
  #progress = 'connecting';

  constructor(options: FirstFrameOptions) {
    this.#options = options;
  }

  /** The current wait, in a few words. */
  set progress(text: string) {
    this.#progress = text;
    this.#options.draw();
  }

  /** Takes the entries so far, in order. */
  take(): readonly EarlyEntry[] {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }

  onEntry(text: string, as: Entry): void {
    this.#entries.push({ text, as });
    this.#options.draw();
  }

  onKey(action: KeyAction): boolean {
    const prompt = this.#options.prompt();
    if (action === 'interrupt' && prompt.draft !== '') {
      prompt.draft = '';
      this.#options.draw();
      return true;
    }
    if (action === 'leave' && prompt.draft !== '') return false;
    if (action === 'interrupt' || action === 'leave') this.#options.leave();
    return action !== 'cancel';
  }

  status({ style }: Look, width: number): string[] {
    const waiting = this.#entries.map(({ text }) => `↳ sent when the session is ready: ${firstOf(text)}`);
    return waiting.map((line) => style.dim(cut(inertText(line), width)));
  }

  footer({ style }: Look, width: number): string {
    const turning = style.accent(frameAt(this.#options.now()));
    return cut(`${turning} ${style.dim(`${inertText(this.#progress)}…`)}`, width);
  }

  busy(): boolean {
    return true;
  }
}

function firstOf(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
