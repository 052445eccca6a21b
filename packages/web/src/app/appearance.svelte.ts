const KEY = 'bulkhead.theme';

export type Theme = 'system' | 'light' | 'dark';

/** Light or dark: the system's theme, unless a person chose one here. */
export class Appearance {
  readonly #storage: Storage;
  readonly #root: HTMLElement;
  #theme: Theme = $state('system');

  constructor(storage: Storage, root: HTMLElement) {
    this.#storage = storage;
    this.#root = root;
    const kept = storage.getItem(KEY);
    this.#set(kept === 'light' || kept === 'dark' ? kept : 'system');
  }

  get theme(): Theme {
    return this.#theme;
  }

  choose(theme: Theme): void {
    this.#storage.setItem(KEY, theme);
    this.#set(theme);
  }

  #set(theme: Theme): void {
    this.#theme = theme;
    if (theme === 'system') delete this.#root.dataset['theme'];
    else this.#root.dataset['theme'] = theme;
  }
}
