export interface PageLink {
  readonly text: string;
  readonly url: string;
}

const MAX_LINKS = 100;
const MAX_TEXT = 120;
const MAX_URL = 2_000;

/** The links of a page in order, without duplicates. */
export class PageLinks {
  readonly #links = new Map<string, string>();
  #base: string;
  #open: string | undefined;
  #text = '';

  /** @param base URL of the page */
  constructor(base: string) {
    this.#base = base;
  }

  get all(): readonly PageLink[] {
    return [...this.#links].map(([url, text]) => ({ text, url }));
  }

  /** The base that the page declares for its links. */
  base(href: string): void {
    this.#base = resolved(href, this.#base) ?? this.#base;
  }

  /** Starts a link; ends one that was not closed. */
  open(href: string | undefined): void {
    this.close();
    const full = this.#links.size >= MAX_LINKS || href === undefined || href.startsWith('#');
    this.#open = full ? undefined : resolved(href, this.#base);
  }

  text(text: string): void {
    if (this.#open !== undefined && this.#text.length < MAX_TEXT) this.#text += text.slice(0, MAX_TEXT);
  }

  close(): void {
    if (this.#open !== undefined && !this.#links.has(this.#open)) {
      this.#links.set(this.#open, this.#text.replaceAll(/\s+/gu, ' ').trim().slice(0, MAX_TEXT));
    }
    this.#open = undefined;
    this.#text = '';
  }
}

/** For display only: following a link parses it anew, and strictly. */
function resolved(href: string, base: string): string | undefined {
  if (href.length > MAX_URL || !URL.canParse(href.trim(), base)) return undefined;
  const url = new URL(href.trim(), base);
  url.hash = '';
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
}
