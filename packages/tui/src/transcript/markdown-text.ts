import type { MarkdownTheme } from '@earendil-works/pi-tui';
import { Markdown } from '../library/later-parts.ts';
import { highlightCode } from '../look/highlight.ts';
import type { Look } from '../look/look.ts';
import type { Style } from '../look/style.ts';

/** Markdown as lines. @param text inert: its characters are drawn unchanged */
export function markdownLines(text: string, look: Look, width: number): string[] {
  return new Markdown(text.trimEnd(), 0, 0, markdownTheme(look.style), undefined, OPTIONS)
    .render(Math.max(1, width))
    .map((line) => line.trimEnd());
}

const OPTIONS = { renderLatex: false, preserveOrderedListMarkers: true, preserveBackslashEscapes: true };

/**
 * A growing text: parts that end with an empty line are drawn once, later text with every delta.
 * The complete text is drawn as a whole.
 */
export class GrowingMarkdown {
  #done = '';
  #lines: readonly string[] = [];
  #width = 0;
  #look: Look | undefined;

  /** @param text the previous text with more at its end */
  render(text: string, look: Look, width: number): string[] {
    if (look !== this.#look || width !== this.#width || !text.startsWith(this.#done)) {
      this.#done = '';
      this.#lines = [];
    }
    this.#look = look;
    this.#width = width;
    const end = lastBoundary(text, this.#done.length);
    if (end > this.#done.length) {
      const block = text.slice(this.#done.length, end);
      this.#lines = joined(this.#lines, markdownLines(block, look, width));
      this.#done = text.slice(0, end);
    }
    return joined(this.#lines, markdownLines(text.slice(end), look, width));
  }
}

function joined(above: readonly string[], below: readonly string[]): string[] {
  if (above.length === 0) return [...below];
  return below.length === 0 ? [...above] : [...above, '', ...below];
}

/** Index after the last empty line outside fences. @param from a boundary found before */
function lastBoundary(text: string, from: number): number {
  let fence: string | undefined;
  let boundary = from;
  let at = from;
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    if (end < 0) break;
    const line = text.slice(at, end);
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) fence = nextFence(fence, mark);
    at = end + 1;
    if (fence === undefined && line.trim() === '' && startsBlock(text, at)) boundary = at;
  }
  return boundary;
}

function nextFence(open: string | undefined, mark: string): string | undefined {
  if (open === undefined) return mark;
  return mark.startsWith(open) ? undefined : open;
}

/** An indented line after an empty one may continue the list above it. */
function startsBlock(text: string, at: number): boolean {
  return at < text.length && /^(?:[^\s\d*+-]|[*-]{3})/.test(text.slice(at, at + 3));
}

function markdownTheme(style: Style): MarkdownTheme {
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
