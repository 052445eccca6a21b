/** A short message about an event. */
export interface Toast {
  readonly id: number;
  readonly tone: 'plain' | 'good' | 'bad';
  readonly text: string;
}

const SHOWN_MS = 6_000;
const MOST = 4;

/**
 * Brief messages; each disappears after a time, or when dismissed. None disappears while a person
 * uses them.
 */
export class Toasts {
  readonly #setTimer: (work: () => void, milliseconds: number) => void;
  #list: readonly Toast[] = $state.raw([]);
  #last = 0;
  #isHeld = false;
  /** Messages whose time ended while they were held. */
  #due: readonly number[] = [];

  constructor(setTimer: (work: () => void, milliseconds: number) => void) {
    this.#setTimer = setTimer;
  }

  get list(): readonly Toast[] {
    return this.#list;
  }

  show(tone: Toast['tone'], text: string): void {
    this.#last += 1;
    const id = this.#last;
    const others = this.#list.filter((toast) => toast.text !== text);
    this.#list = [...others, { id, tone, text }].slice(-MOST);
    this.#setTimer(() => this.#expire(id), SHOWN_MS * (tone === 'bad' ? 2 : 1));
  }

  dismiss(id: number): void {
    this.#list = this.#list.filter((toast) => toast.id !== id);
  }

  dismissAll(): void {
    this.#list = [];
  }

  /** @param isHeld true while the pointer or the focus is on them */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (isHeld) return;
    const due = this.#due;
    this.#due = [];
    this.#list = this.#list.filter(({ id }) => !due.includes(id));
  }

  #expire(id: number): void {
    if (this.#isHeld) this.#due = [...this.#due, id];
    else this.dismiss(id);
  }
}
