import { type Token, Tokenizer, TokenizerMode } from 'parse5';

/** A piece of HTML, in order. Names are in lower case; character references are decoded. */
export type HtmlToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string };

/**
 * Elements whose content is not markup. Scripts do not run here, so the content of `noscript` is
 * markup.
 */
const MODES: ReadonlyMap<string, Tokenizer['state']> = new Map([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
  ...['style', 'xmp', 'iframe', 'noembed', 'noframes'].map((name): [string, Tokenizer['state']] => [
    name,
    TokenizerMode.RAWTEXT,
  ]),
  ['plaintext', TokenizerMode.PLAINTEXT],
]);
/** Characters per tokenizer call: memory holds the tokens of this many. */
const SLICE = 65_536;

/**
 * Cuts HTML into tokens as the HTML Standard does, always in time linear in its length: no nesting,
 * and an unclosed element extends to the end.
 */
export function* htmlTokens(html: string): Generator<HtmlToken, void, undefined> {
  const tokens = new TokenQueue();
  for (let at = 0; at === 0 || at < html.length; at += SLICE) {
    tokens.read(html.slice(at, at + SLICE), at + SLICE >= html.length);
    yield* tokens.take();
  }
}

/**
 * Collects the tokens of parse5. Its tokenizer reads raw text only where its owner, usually a tree
 * builder, says so.
 */
class TokenQueue {
  readonly #tokenizer: Tokenizer;
  #tokens: HtmlToken[] = [];
  #text: string[] = [];

  constructor() {
    const text = ({ chars }: Token.CharacterToken): void => void this.#text.push(chars);
    const nothing = (): void => {};
    this.#tokenizer = new Tokenizer(
      {},
      {
        onStartTag: (tag) => this.#open(tag),
        onEndTag: ({ tagName }) => this.#add({ kind: 'close', name: tagName }),
        onCharacter: text,
        onWhitespaceCharacter: text,
        onNullCharacter: nothing,
        onComment: nothing,
        onDoctype: nothing,
        onEof: () => this.#endText(),
      },
    );
  }

  read(html: string, last: boolean): void {
    this.#tokenizer.write(html, last);
  }

  take(): readonly HtmlToken[] {
    const tokens = this.#tokens;
    this.#tokens = [];
    return tokens;
  }

  #open({ tagName: name, attrs }: Token.TagToken): void {
    this.#add({ kind: 'open', name, attributes: new Map(attrs.map((one) => [one.name, one.value])) });
    const mode = MODES.get(name);
    if (mode === undefined) return;
    this.#tokenizer.state = mode;
    this.#tokenizer.lastStartTagName = name;
  }

  #add(token: HtmlToken): void {
    this.#endText();
    this.#tokens.push(token);
  }

  /** parse5 separates words from the spaces between them. */
  #endText(): void {
    if (this.#text.length > 0) this.#tokens.push({ kind: 'text', text: this.#text.join('') });
    this.#text = [];
  }
}
