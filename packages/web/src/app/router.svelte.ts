/** The parts of a window that the router needs. */
export type RouterWindow = Pick<
  Window,
  'addEventListener' | 'history' | 'location' | 'removeEventListener' | 'scrollTo'
>;

/** The page's path, as the address bar has it. */
export class Router {
  readonly #window: RouterWindow;
  #path = $state('/');
  #query = $state('');

  constructor(window: RouterWindow) {
    this.#window = window;
    this.#read();
    window.addEventListener('popstate', () => this.#read());
  }

  /** Without query and fragment. */
  get path(): string {
    return this.#path;
  }

  /** A value of the query; empty without it. */
  value(name: string): string {
    return new URLSearchParams(this.#query).get(name) ?? '';
  }

  /** @param to one of our paths, with or without a query */
  go(to: string, how: 'push' | 'replace' = 'push'): void {
    const { history, location } = this.#window;
    if (to === location.pathname + location.search) return;
    if (how === 'push') history.pushState(null, '', to);
    else history.replaceState(null, '', to);
    this.#read();
  }

  #read(): void {
    this.#path = this.#window.location.pathname;
    this.#query = this.#window.location.search;
  }
}
