import type { MarkdownTheme } from '@earendil-works/pi-tui';
import { highlightCode } from './highlight.ts';
import type { Style } from './style.ts';

export function markdownTheme(style: Style): MarkdownTheme {
  return {
    heading: (text) => style.bold(style.accent(text)),
    link: style.underline,
    linkUrl: style.dim,
    code: style.code,
    codeBlock: (text) => text,
    codeBlockBorder: style.dim,
    quote: style.italic,
    quoteBorder: style.dim,
    hr: style.dim,
    listBullet: style.accent,
    bold: style.bold,
    italic: style.italic,
    strikethrough: style.strike,
    underline: style.underline,
    highlightCode: (code, language) => highlightCode(code, language, style),
  };
}
