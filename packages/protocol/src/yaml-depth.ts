import { CST, Lexer } from 'yaml';

/** Nesting of brackets and braces: no schema of ours has ten levels. */
const MAX_FLOW = 64;
/** Columns before the first word of a line, with the `-` and `?` on it: each can be a level. */
const MAX_BLOCK = 256;

/**
 * The position where a text's nesting becomes deeper than any hand-written text, in characters;
 * undefined if it never does. Lexes without recursion and stops at the first such place: the parser
 * takes seconds for 100,000 levels.
 */
export function tooDeepAt(text: string): number | undefined {
  if (isPlainlyShallow(text)) return undefined;
  const depth = new Depth();
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    depth.add(type, token.length);
    if (depth.isTooDeep) return offset;
    offset += isOfText(type) ? token.length : 0;
  }
  return undefined;
}

/** Nearly every text: no lexing is needed. */
function isPlainlyShallow(text: string): boolean {
  let openings = 0;
  let begun = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '[' || sign === '{') openings += 1;
    else if (sign === '\n') begun = at;
    if (openings > MAX_FLOW || at - begun > MAX_BLOCK) return false;
  }
  return true;
}

type TokenType = ReturnType<typeof CST.tokenType>;

class Depth {
  #flow = 0;
  #block = 0;

  get isTooDeep(): boolean {
    return this.#flow > MAX_FLOW || this.#block > MAX_BLOCK;
  }

  add(type: TokenType, length: number): void {
    switch (type) {
      case 'flow-seq-start':
      case 'flow-map-start':
        this.#flow += 1;
        break;
      case 'flow-seq-end':
      case 'flow-map-end':
        this.#flow = Math.max(0, this.#flow - 1);
        break;
      case 'newline':
        this.#block = 0;
        break;
      case 'space':
        if (this.#flow === 0) this.#block += length;
        break;
      case 'seq-item-ind':
      case 'explicit-key-ind':
        this.#block += 1;
        break;
      default:
        this.#endOfIndent(type);
    }
  }

  /** Signs after the first word of a line are no level. */
  #endOfIndent(type: TokenType): void {
    if (type === 'scalar') this.#block = Number.NEGATIVE_INFINITY;
  }
}

/** The lexer marks starts of documents and plain words with signs that are not in the text. */
function isOfText(type: TokenType): boolean {
  return type !== 'doc-mode' && type !== 'scalar' && type !== 'flow-error-end';
}
