import { type HtmlToken, htmlTokens } from './html-tokens.ts';
import { type PageLink, PageLinks } from './page-links.ts';
import { TextWriter, visibleOnly } from './text-writer.ts';

export interface PageText {
  readonly title: string;
  /** Headings, lists, tables and code in the manner of Markdown. */
  readonly text: string;
  readonly truncated: boolean;
  readonly links: readonly PageLink[];
}

/** Not shown by a browser, or not part of the page's content. */
const SKIPPED = names(
  'script style noscript template svg math iframe object canvas audio video nav footer dialog select datalist xmp noembed noframes textarea',
);
const BLOCKS = names(
  'address article aside dialog footer nav blockquote body center dd details div dl dt fieldset figcaption figure form h1 h2 h3 h4 h5 h6 header hgroup hr li main ol p pre section summary table tbody tfoot thead tr ul',
);
/** An end tag may be missing: the next end tag of that name ends the element. */
const LOOSE = names('p li dd dt option tr td th');
const VOID = names('area base br col embed hr img input link meta param source track wbr');
const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i;
const MAX_TITLE = 300;
/** A shorter text is a stub, not an article. */
const MIN_MAIN = 200;

/**
 * The readable text of a page: the content of `main` or `article` if long enough, else all but
 * menus and footers, without hidden elements and characters.
 *
 * @param base URL of the page
 * @param maxCharacters limit of the text
 */
export function pageText(html: string, base: string, maxCharacters: number): PageText {
  const page = new PageReader(base, maxCharacters);
  for (const token of htmlTokens(html)) page.take(token);
  return page.done();
}

class PageReader {
  readonly #all: TextWriter;
  readonly #main: TextWriter;
  readonly #title = new TextWriter(MAX_TITLE);
  readonly #links: PageLinks;
  #mainDepth = 0;
  #preDepth = 0;
  #listDepth = 0;
  #skipping: { readonly name: string; depth: number } | undefined;
  #inTitle = false;

  constructor(base: string, maxCharacters: number) {
    this.#all = new TextWriter(maxCharacters);
    this.#main = new TextWriter(maxCharacters);
    this.#links = new PageLinks(base);
  }

  take(token: HtmlToken): void {
    if (this.#skipping !== undefined && this.#skips(token, this.#skipping)) return;
    if (token.kind === 'text') this.#text(token.text);
    else if (token.kind === 'open') this.#open(token.name, token.attributes);
    else this.#close(token.name);
  }

  done(): PageText {
    const chosen = this.#main.text.length >= MIN_MAIN ? this.#main : this.#all;
    return {
      title: this.#title.text,
      text: chosen.text,
      truncated: chosen.truncated,
      links: this.#links.all,
    };
  }

  /** @returns false once the hidden element has ended and the token belongs to the next one */
  #skips(token: HtmlToken, skipping: { readonly name: string; depth: number }): boolean {
    if (token.kind === 'text' || token.name !== skipping.name) return true;
    if (token.kind === 'close') {
      skipping.depth -= 1;
      if (skipping.depth === 0) this.#skipping = undefined;
      return true;
    }
    if (!LOOSE.has(token.name)) {
      skipping.depth += 1;
      return true;
    }
    this.#skipping = undefined;
    return false;
  }

  #text(raw: string): void {
    const text = visibleOnly(raw);
    if (this.#inTitle) {
      this.#title.words(text);
      return;
    }
    this.#links.text(text);
    this.#write((writer) => (this.#preDepth > 0 ? writer.verbatim(text) : writer.words(text)));
  }

  #open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (SKIPPED.has(name) || isHidden(attributes)) {
      if (BLOCKS.has(name)) this.#apart(name);
      if (!VOID.has(name)) this.#skipping = { name, depth: 1 };
      return;
    }
    if (name === 'title') this.#inTitle = true;
    if (name === 'main' || name === 'article') this.#mainDepth += 1;
    if (name === 'base') this.#links.base(attributes.get('href') ?? '');
    if (name === 'a') this.#links.open(attributes.get('href'));
    this.#layout(name, attributes);
  }

  #layout(name: string, attributes: ReadonlyMap<string, string>): void {
    if (BLOCKS.has(name)) this.#apart(name);
    if (/^h[1-6]$/.test(name)) this.#verbatim(`${'#'.repeat(Number(name[1]))} `);
    else if (name === 'li') this.#verbatim(`${'  '.repeat(Math.min(Math.max(this.#listDepth - 1, 0), 6))}- `);
    else if (name === 'ul' || name === 'ol') this.#listDepth += 1;
    else if (name === 'br')
      this.#write((writer) => (this.#preDepth > 0 ? writer.verbatim('\n') : writer.apart(1)));
    else if (name === 'td' || name === 'th') {
      this.#write((writer) => writer.words(' '));
      this.#verbatim('| ');
    } else if (name === 'img') this.#image(attributes.get('alt') ?? '');
    else if (name === 'pre') {
      this.#verbatim('```\n');
      this.#preDepth += 1;
    }
  }

  #close(name: string): void {
    if (name === 'title') this.#inTitle = false;
    if (name === 'a') this.#links.close();
    if (name === 'pre' && this.#preDepth > 0) {
      this.#preDepth -= 1;
      this.#write((writer) => writer.apart(1));
      this.#verbatim('```');
    }
    if (name === 'ul' || name === 'ol') this.#listDepth = Math.max(this.#listDepth - 1, 0);
    if (BLOCKS.has(name)) this.#apart(name);
    if (name === 'main' || name === 'article') this.#mainDepth = Math.max(this.#mainDepth - 1, 0);
  }

  #image(alt: string): void {
    const text = visibleOnly(alt).trim();
    if (text !== '') this.#write((writer) => writer.words(` [image: ${text.slice(0, 200)}] `));
  }

  #apart(name: string): void {
    this.#write((writer) => writer.apart(name === 'li' || name === 'tr' ? 1 : this.#listDepth > 0 ? 1 : 2));
  }

  #verbatim(text: string): void {
    this.#write((writer) => writer.verbatim(text));
  }

  #write(what: (writer: TextWriter) => void): void {
    what(this.#all);
    if (this.#mainDepth > 0) what(this.#main);
  }
}

function isHidden(attributes: ReadonlyMap<string, string>): boolean {
  return attributes.has('hidden') || HIDDEN_STYLE.test(attributes.get('style') ?? '');
}

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
