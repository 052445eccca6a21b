/** A short word on what happened. */
export interface Toast {
  readonly id: number;
  readonly tone: 'plain' | 'good' | 'bad';
  readonly text: string;
}

const SHOWN_MS = 6_000;
const MOST = 4;

/** What is said in passing; each goes by itself, or when it is dismissed. */
export class Toasts {
  readonly #setTimer: (work: () => void, milliseconds: number) => void;
  #list: readonly Toast[] = $state.raw([]);
  #last = 0;

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
    this.#setTimer(() => this.dismiss(id), SHOWN_MS * (tone === 'bad' ? 2 : 1));
  }

  dismiss(id: number): void {
    this.#list = this.#list.filter((toast) => toast.id !== id);
  }
}
