import { Lexer, type Token } from 'marked';

/** Longer text is shown as it is: reading it as Markdown would make a page wait. */
const LONGEST = 400_000;

/** The blocks of a Markdown text. What can't be read as Markdown is one block of plain text. */
export function lexMarkdown(text: string): readonly Token[] {
  if (text.length > LONGEST) return [plain(text)];
  try {
    return new Lexer({ gfm: true, async: false }).lex(text);
  } catch {
    // Nested deeper than the reader can go.
    return [plain(text)];
  }
}

function plain(text: string): Token {
  return { type: 'code', raw: text, text };
}
