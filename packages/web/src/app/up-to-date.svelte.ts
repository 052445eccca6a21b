/** Name of the first script of a build: it contains a hash of its content. */
const SCRIPT = /\/assets\/index-[\w-]+\.js/;

/** Whether the engine still serves this page's version: after an upgrade it doesn't. */
export class UpToDate {
  readonly #window: Window & typeof globalThis;
  readonly #own: string | undefined;
  #stale = $state(false);

  constructor(window: Window & typeof globalThis) {
    this.#window = window;
    const scripts = [...window.document.querySelectorAll('script')];
    this.#own = scripts.map(({ src }) => SCRIPT.exec(src)?.[0]).find((name) => name !== undefined);
    // A part of the page that is loaded later is gone.
    window.addEventListener('vite:preloadError', () => void this.check());
  }

  get isStale(): boolean {
    return this.#stale;
  }

  /** Once stale, always stale. A hidden page reloads automatically. */
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
