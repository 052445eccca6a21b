/** Name of the first script of a build: it holds a hash of what it says. */
const SCRIPT = /\/assets\/index-[\w-]+\.js/;

/** Whether this page is still the one that the engine serves: after an upgrade it isn't. */
export class UpToDate {
  readonly #window: Window & typeof globalThis;
  readonly #own: string | undefined;
  #stale = $state(false);

  constructor(window: Window & typeof globalThis) {
    this.#window = window;
    const scripts = [...window.document.querySelectorAll('script')];
    this.#own = scripts.map(({ src }) => SCRIPT.exec(src)?.[0]).find((name) => name !== undefined);
    // A part of the page that is read late is gone.
    window.addEventListener('vite:preloadError', () => void this.check());
  }

  get isStale(): boolean {
    return this.#stale;
  }

  /** Once stale, always stale. A page that nobody looks at loads itself anew. */
  async check(): Promise<void> {
    if (this.#own === undefined || this.#stale) return;
    const page = await this.#window.fetch('/', { cache: 'no-store' }).catch(() => undefined);
    if (page?.ok !== true) return;
    const served = SCRIPT.exec(await page.text())?.[0];
    this.#stale = served !== undefined && served !== this.#own;
    if (this.#stale && this.#window.document.visibilityState === 'hidden') this.reload();
  }

  reload(): void {
    this.#window.location.reload();
  }
}
