import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import type { Block, Inline, ListItem } from './nodes.ts';
import { safeLink } from './safe-link.ts';

/** Longer text is shown as source: parsing it would block the page. */
const LONGEST = 400_000;
/** Deeper nesting is shown as source. */
const DEEPEST = 24;

/**
 * Reads model text as Markdown into a fixed set of nodes. HTML stays text, images become their
 * description, links point only to complete web addresses. Never throws.
 *
 * @param origin of this page, to which no link may point
 */
export function readMarkdown(text: string, origin: string): readonly Block[] {
  if (text.length > LONGEST) return [{ kind: 'written', text }];
  try {
    return new Reader(origin).blocks(new Lexer({ gfm: true, async: false }).lex(text), 0);
  } catch {
    // Nested deeper than the lexer supports.
    return [{ kind: 'written', text }];
  }
}

class Reader {
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  blocks(tokens: readonly Token[], depth: number): readonly Block[] {
    if (depth > DEEPEST) return [{ kind: 'written', text: rawOf(tokens) }];
    return tokens.filter(isKnown).flatMap((token) => this.#block(token, depth));
  }

  #block(token: MarkedToken, depth: number): readonly Block[] {
    switch (token.type) {
      case 'space':
      case 'def':
        return [];
      case 'paragraph':
        return [{ kind: 'paragraph', children: this.#inlines(token.tokens, depth) }];
      case 'heading':
        return [{ kind: 'heading', level: token.depth, children: this.#inlines(token.tokens, depth) }];
      case 'code':
        return [{ kind: 'code', text: token.text, language: token.lang ?? '' }];
      case 'blockquote':
        return [{ kind: 'quote', children: this.blocks(token.tokens, depth + 1) }];
      case 'list':
        return [this.#list(token, depth)];
      case 'table':
        return [this.#table(token, depth)];
      case 'hr':
        return [{ kind: 'rule' }];
      case 'html':
        return [{ kind: 'written', text: token.raw }];
      default:
        return [{ kind: 'inlines', children: this.#inlines([token], depth) }];
    }
  }

  #list({ items, ordered, start }: Tokens.List, depth: number): Block {
    const children = items.map(
      (item): ListItem => ({
        ...(item.task ? { isDone: item.checked === true } : {}),
        // The renderer of the item draws the box of a task.
        children: this.blocks(
          item.tokens.filter(({ type }) => type !== 'checkbox'),
          depth + 1,
        ),
      }),
    );
    return { kind: 'list', ...(ordered ? { start: start === '' ? 1 : start } : {}), items: children };
  }

  #table({ header, rows }: Tokens.Table, depth: number): Block {
    const cells = (row: readonly Tokens.TableCell[]) => row.map(({ tokens }) => this.#inlines(tokens, depth));
    return { kind: 'table', header: cells(header), rows: rows.map(cells) };
  }

  #inlines(tokens: readonly Token[], depth: number): readonly Inline[] {
    if (depth > DEEPEST) return [{ kind: 'text', text: rawOf(tokens) }];
    return tokens.filter(isKnown).flatMap((token) => this.#inline(token, depth));
  }

  #inline(token: MarkedToken, depth: number): readonly Inline[] {
    switch (token.type) {
      case 'strong':
      case 'em':
      case 'del':
        return [{ kind: token.type, children: this.#inlines(token.tokens, depth + 1) }];
      case 'codespan':
        return [{ kind: 'code', text: decodeEntities(token.text) }];
      case 'br':
        return [{ kind: 'break' }];
      case 'link':
        return [this.#link(token, depth)];
      case 'image':
        return [this.#image(token)];
      case 'text':
        return token.tokens === undefined ? [textOf(token.text)] : this.#inlines(token.tokens, depth + 1);
      case 'escape':
        return [textOf(token.text)];
      case 'checkbox':
        return [];
      default:
        return [{ kind: 'text', text: token.raw }];
    }
  }

  #link({ href, text, tokens }: Tokens.Link, depth: number): Inline {
    const children = this.#inlines(tokens, depth + 1);
    const safe = safeLink(href, this.#origin);
    if (safe === undefined) return { kind: 'no-link', address: href, children };
    // Only a text equal to the address shows the target: a text that contains a host may point
    // elsewhere.
    const isItself = text === href || text === safe.href || text === safe.target;
    return { kind: 'link', href: safe.href, ...(isItself ? {} : { target: safe.target }), children };
  }

  #image({ href, text }: Tokens.Image): Inline {
    return { kind: 'image', about: decodeEntities(text), link: safeLink(href, this.#origin), address: href };
  }
}

const KNOWN: ReadonlySet<string> = new Set<MarkedToken['type']>([
  'blockquote',
  'br',
  'checkbox',
  'code',
  'codespan',
  'def',
  'del',
  'em',
  'escape',
  'heading',
  'hr',
  'html',
  'image',
  'link',
  'list',
  'list_item',
  'paragraph',
  'space',
  'strong',
  'table',
  'text',
]);

/** The lexer makes no other tokens without extensions. */
function isKnown(token: Token): token is MarkedToken {
  return KNOWN.has(token.type);
}

function rawOf(tokens: readonly Token[]): string {
  return tokens.map(({ raw }) => raw).join('');
}

function textOf(text: string): Inline {
  return { kind: 'text', text: decodeEntities(text) };
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  copy: '©',
  times: '×',
  rarr: '→',
  larr: '←',
};

const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi;

/** Character references in text for a text node, which does not interpret them. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number.parseInt(decimal, 10);
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });
}
